import { setTimeout as sleep } from 'node:timers/promises';
import { SpanKind, SpanStatusCode, trace, type Span } from '@opentelemetry/api';
import type { Telemetry } from '@parley/telemetry';
import { type CommandStartedEvent, MongoClient, type MongoClientOptions } from 'mongodb';
import {
  repeatOperations,
  defaultWriteConcern,
  detectEngine,
  type Engine,
} from './embedded-engine/repeat-operations.ts';
import { measurePool } from './measure-pool.ts';
import { isUnreachable } from './mongo-errors.ts';

/** A query that runs longer than this is a mistake, not work. */
export const QUERY_TIME_MAX_MS = 5000;

/** How long an operation waits for a primary, which the driver does twice: the choice of a new one takes some seconds. */
const SELECTION_MS = 10_000;

/** The driver looks for idle connections to close ten times a second, also if there are none to close. */
const POOL_CHECK_MS = 10_000;

/** Pause between two attempts to reach a server that does not answer at the start. */
const CONNECT_RETRY_MS = 1000;

/** A service's own database. */
export type Mongo = Awaited<ReturnType<typeof connectMongo>>;

/**
 * Connects to one service's own database. Options of the address take precedence over our defaults. Operations are repeated
 * while the server is unreachable, and may be done twice if it is the embedded engine: `wasRepeated`.
 */
export async function connectMongo(options: {
  url: string;
  database: string;
  telemetry: Telemetry;
  /** Aborts the wait for a server that does not respond. */
  signal?: AbortSignal;
}) {
  const { url, database, telemetry, signal } = options;
  const client = new MongoClient(url, {
    ...unlessInUrl(url, { serverSelectionTimeoutMS: SELECTION_MS, maxPoolSize: 50 }),
    appName: database,
    ignoreUndefined: true,
    monitorCommands: telemetry.recording,
  });
  // An option of its connection pools that the driver does not take from outside.
  Object.assign(client.options, { minPoolSizeCheckFrequencyMS: POOL_CHECK_MS });
  if (telemetry.recording) traceCommands(client, telemetry);
  measurePool(client, telemetry);
  const engine = await connectWhenReachable(client, telemetry, signal).catch(async (error: unknown) => {
    await client.close();
    throw error;
  });
  const writeConcern = client.writeConcern ?? defaultWriteConcern(engine);
  let isClosed = false;
  const db = repeatOperations(client.db(database, { writeConcern }), engine, () => isClosed);
  return {
    db,
    ping: (): Promise<boolean> =>
      db.command({ ping: 1 }, { timeoutMS: 1000 }).then(
        () => true,
        () => false,
      ),
    close(): Promise<void> {
      isClosed = true;
      return client.close();
    },
  };
}

/** A server that is still starting is waited for: ending the process would only make the orchestrator restart it. */
async function connectWhenReachable(client: MongoClient, telemetry: Telemetry, signal?: AbortSignal): Promise<Engine> {
  const startedAt = performance.now();
  for (;;) {
    try {
      await client.connect();
      return await detectEngine(client);
    } catch (error) {
      if (!isUnreachable(error) || !signal || signal.aborted) throw error;
      const waitedSecs = Math.round((performance.now() - startedAt) / 1000);
      telemetry.log.warn({ err: error, waitedSecs }, 'waiting for MongoDB');
      await sleep(CONNECT_RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

function unlessInUrl(url: string, defaults: MongoClientOptions): MongoClientOptions {
  const given = new URLSearchParams(url.split('?')[1]);
  return Object.fromEntries(Object.entries(defaults).filter(([name]) => !given.has(name)));
}

/** A span per command: its name and collection, never its content. */
function traceCommands(client: MongoClient, telemetry: Telemetry): void {
  const open = new Map<number, Span>();
  client.on('commandStarted', (event: CommandStartedEvent) => {
    // Background polling belongs to no request, and most requests are not sampled.
    if (!trace.getActiveSpan()?.isRecording()) return;
    const { command, commandName, databaseName, requestId } = event;
    // getMore names its cursor first and its collection second; commands such as ping have none.
    const name: unknown = command[commandName === 'getMore' ? 'collection' : commandName];
    const collection = typeof name === 'string' ? name : undefined;
    const span = telemetry.tracer.startSpan(['mongodb', commandName, ...(collection ? [collection] : [])].join(' '), {
      kind: SpanKind.CLIENT,
      attributes: {
        'db.system.name': 'mongodb',
        'db.operation.name': commandName,
        'db.namespace': databaseName,
        ...(collection && { 'db.collection.name': collection }),
      },
    });
    open.set(requestId, span);
  });
  const end = (requestId: number, failed: boolean) => {
    const span = open.get(requestId);
    if (failed) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
    open.delete(requestId);
  };
  client.on('commandSucceeded', ({ requestId }) => end(requestId, false));
  client.on('commandFailed', ({ requestId }) => end(requestId, true));
}
