import { SpanKind, trace, type Span } from '@opentelemetry/api';
import type { Telemetry } from '@parley/telemetry';
import { type CommandStartedEvent, type Db, MongoClient } from 'mongodb';

/** A query that runs longer than this is a mistake, not work. */
export const QUERY_TIME_MAX_MS = 5000;

export interface Mongo {
  readonly db: Db;
  /** Whether the server answers now. */
  ping(): Promise<boolean>;
  close(): Promise<void>;
}

/** Connects to one service's own database. The address carries the write concern: majority, or journaled on the embedded engine. */
export async function connectMongo(options: { url: string; database: string; telemetry: Telemetry }): Promise<Mongo> {
  const { url, database, telemetry } = options;
  const client = new MongoClient(url, {
    ...(/[?&]w=/.test(url) ? {} : { w: 'majority' as const }),
    appName: database,
    serverSelectionTimeoutMS: 5000,
    maxPoolSize: 50,
    ignoreUndefined: true,
    monitorCommands: telemetry.recording,
  });
  if (telemetry.recording) traceCommands(client, telemetry);
  await client.connect();
  const db = client.db(database);
  return {
    db,
    ping: () =>
      db.command({ ping: 1 }, { timeoutMS: 1000 }).then(
        () => true,
        () => false,
      ),
    close: () => client.close(),
  };
}

/** A span per command: its name and collection, never its content. */
function traceCommands(client: MongoClient, telemetry: Telemetry): void {
  const open = new Map<number, Span>();
  client.on('commandStarted', (event: CommandStartedEvent) => {
    if (!trace.getActiveSpan()) return; // background polling belongs to no request
    const collection = String(event.command[event.commandName] ?? '');
    const span = telemetry.tracer.startSpan(`mongodb ${event.commandName} ${collection}`, {
      kind: SpanKind.CLIENT,
      attributes: {
        'db.system.name': 'mongodb',
        'db.operation.name': event.commandName,
        'db.collection.name': collection,
        'db.namespace': event.databaseName,
      },
    });
    open.set(event.requestId, span);
  });
  const end = ({ requestId }: { requestId: number }) => {
    open.get(requestId)?.end();
    open.delete(requestId);
  };
  client.on('commandSucceeded', end);
  client.on('commandFailed', end);
}
