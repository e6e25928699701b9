import {
  AckPolicy,
  type Consumer,
  type ConsumerConfig,
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import {
  connect,
  createInbox,
  credsAuthenticator,
  nanos,
  type NatsConnection,
  type NodeConnectionOptions,
} from '@nats-io/transport-node';
import { readFileSync } from 'node:fs';
import { withTimeout } from '@parley/clock';
import type { Logger } from '@parley/telemetry';
import { encodeEvent, type Event, PARTITIONS, partitionOf } from '../event/envelope.ts';
import { inboxPrefix } from './nats-permissions.ts';

const DAY_MS = 24 * 3600 * 1000;
/** A stream keeps events this long for followers that are down; the owner's log in MongoDB keeps them longer. */
const STREAM_AGE_MAX_MS = 7 * DAY_MS;
/** The server recognises a repeated event id for this long; a later repetition is recognised by the followers. */
const DUPLICATE_WINDOW_MS = 10 * 60 * 1000;
/** The server reserves it: six streams fit into the 4 GB that we configure. */
const STREAM_BYTES_MAX = 512 * 1024 * 1024;
const STREAM_EVENTS_MAX = 1_000_000;
const STREAM_DIFFERS = 10_058;
const STREAM_NOT_FOUND = 10_059;
const STORAGE_INSUFFICIENT = 10_047;
const CLOSE_LIMIT_MS = 2000;
/** Some events of the log are read and published meanwhile. */
const REPUBLISH_MS = 30_000;
const CONSUMER = {
  ack_policy: AckPolicy.None,
  /** The server removes a consumer without a reader after this time. */
  inactive_threshold: nanos(60_000),
  mem_storage: true,
  num_replicas: 1,
};

/** The address, credentials and name prefix of NATS. */
export interface BrokerOptions {
  url: string;
  user?: string | undefined;
  password?: string | undefined;
  credsFile?: string | undefined;
  /** Prefix of every subject and stream; tests that share a server choose their own. */
  prefix?: string;
  replicas?: number;
  /** The size of a stream; beyond it the oldest events are discarded. The owner's log in MongoDB still has them. */
  streamBytesMax?: number;
  /** The service; NATS shows it, and responses to its requests are sent to an inbox of that name. */
  name: string;
  log: Logger;
}

/** A stream as it is now. */
export interface StreamState {
  /** Identifies a new stream of the same name. */
  readonly created: string;
  /**
   * The server process that stores it; another one may have lost what this one acknowledged last. Empty for a replicated
   * stream, which more than one server has.
   */
  readonly server: string;
  readonly firstSequence: number;
  readonly lastSequence: number;
  /** The part of its limits that is used, by count or by bytes, whichever is more. */
  readonly usage: number;
}

/** A consumer of a stream without a name. Nothing is acknowledged and nothing redelivered. */
export interface TemporaryConsumer {
  readonly consumer: Consumer;
  /** The number of its messages in the stream. */
  readonly pending: number;
  remove(): void;
}

export type Broker = Awaited<ReturnType<typeof connectBroker>>;

/**
 * The connection to NATS JetStream, and the names we use on it. It is transport: what must last is in MongoDB. Waits for a server that is not up
 * yet, and reconnects to one that restarts.
 */
export async function connectBroker(options: BrokerOptions) {
  const { prefix = 'parley' } = options;
  const connection = await connect(connectionOptions(options));
  const client = jetstream(connection, { timeout: 5000 });
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: 5000 });
  const { connected, unlessLost, onReconnect } = followStatus(connection, options.log);
  const stream = (service: string) => `${prefix}-${service}`;
  const subject = (name: string) => `${prefix}.${name}`;
  const republishSubject = (service: string) => subject(`signals.republish.${service}`);
  const serverId = () => connection.info?.server_id ?? '';
  const eventSubject = ({ type, aggregateId }: Pick<Event, 'type' | 'aggregateId'>) =>
    subject(type.replace('.', `.${partitionOf(aggregateId)}.`));
  async function publish(event: Event, more: { msgID?: string }): Promise<void> {
    await unlessLost(() => client.publish(eventSubject(event), encodeEvent(event), { ...more, timeout: 5000 }));
  }

  return {
    connection,
    jetstream: client,
    manager,
    connected,
    /** The response to a request; rejects as soon as the connection is lost, where the client itself would wait for its timeout. */
    unlessLost,
    /** Calls the listener after each reconnect; returns a function that removes it. */
    onReconnect,
    /** The subject of a signal between replicas, below our prefix. Events have `eventSubject`. */
    subject,
    /** The subject an event is published on: `<prefix>.<service>.<partition>.<noun>.<fact>`. */
    eventSubject,
    /** Matches the events of a type (`directory.contact.created`) or of a noun (`directory.contact.*`), whatever their partition. */
    eventPattern: (type: string) => subject(type.replace('.', '.*.')),
    /** Subjects of the events of a noun in some partitions. */
    eventFilters(service: string, noun: string, partitions: readonly number[]): string[] {
      const places = partitions.length === PARTITIONS ? ['*'] : partitions;
      return places.map((partition) => subject(`${service}.${partition}.${noun}.*`));
    },
    /** A new subject for responses, which only this service may read. */
    inbox: () => createInbox(inboxPrefix(options.name)),
    /** Asks a service to publish some events again, the first ones from a time on. Resolves with the time of the next ones, if there are more. */
    async requestAgain(service: string, since: Date): Promise<Date | undefined> {
      const request = () =>
        connection.request(republishSubject(service), since.toISOString(), { timeout: REPUBLISH_MS });
      const next = (await unlessLost(request)).string();
      return next === '' ? undefined : new Date(next);
    },
    /** Answers such requests; replicas share them. */
    answerAgain(service: string, answer: (since: Date) => Promise<Date | undefined>): () => void {
      const requests = connection.subscribe(republishSubject(service), {
        queue: 'relay',
        callback(error, message) {
          const since = error ? new Date(NaN) : new Date(message.string());
          if (Number.isNaN(since.getTime())) return;
          // Without a response the follower asks again.
          answer(since).then(
            (next) => message.respond(next?.toISOString() ?? ''),
            (failure: unknown) => options.log.warn({ err: failure, stream: service }, 'cannot publish events again'),
          );
        },
      });
      return () => requests.unsubscribe();
    },
    /** The stream of a publishing service. */
    stream,
    /** Makes sure a service's stream exists and has our settings. */
    async ensureStream(service: string): Promise<StreamState> {
      const settings = { ...streamSettings(options), subjects: [subject(`${service}.>`)] };
      return stateOf(await unlessLost(() => ensureStream(manager, stream(service), settings, options.log)), serverId());
    },
    /** The stream of another service; null as long as that one has not made it. */
    async findStream(service: string): Promise<StreamState | null> {
      try {
        return stateOf(await unlessLost(() => manager.streams.info(stream(service))), serverId());
      } catch (error) {
        if (isApiError(error, STREAM_NOT_FOUND)) return null;
        throw error;
      }
    },
    async addConsumer(service: string, config: Partial<ConsumerConfig>): Promise<TemporaryConsumer> {
      const info = await unlessLost(() => manager.consumers.add(stream(service), { ...CONSUMER, ...config }));
      const consumer = client.consumers.getConsumerFromInfo(info);
      const remove = () => {
        if (connected()) void consumer.delete().catch(() => undefined);
      };
      return { consumer, pending: info.num_pending, remove };
    },
    /** Resolves when the event is stored, or was stored before; fails at once when the connection breaks meanwhile. */
    publish: (event: Event) => publish(event, { msgID: event.id }),
    /** The same for an event that was stored before and discarded: the server would take it for a repetition. */
    publishAgain: (event: Event) => publish(event, {}),
    async close(): Promise<void> {
      if (connection.isClosed()) return;
      // Pending messages are sent first; for an unreachable server that would never end.
      if (connected()) await withTimeout(CLOSE_LIMIT_MS, connection.drain()).catch(() => undefined);
      await connection.close();
    },
  };
}

function connectionOptions({ url, name, user, password, credsFile }: BrokerOptions): NodeConnectionOptions {
  return {
    servers: url,
    name,
    inboxPrefix: inboxPrefix(name),
    ...(user && { user, pass: password ?? '' }),
    ...(credsFile && { authenticator: credsAuthenticator(readFileSync(credsFile)) }),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 200,
    waitOnFirstConnect: true,
    timeout: 5000,
    pingInterval: 10_000,
    ignoreAuthErrorAbort: true,
    // They would take the stack of every request before it is sent, for the case that it fails.
    noAsyncTraces: true,
  };
}

/** Knows whether there is a connection, and who has to know when it is lost or restored. */
function followStatus(connection: NatsConnection, log: Logger) {
  const listeners = new Set<() => void>();
  const pendingRequests = new Set<() => void>();
  let isConnected = true;
  const follow = async () => {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') {
        isConnected = false;
        pendingRequests.forEach((lost) => lost());
        log.warn({ part: 'broker' }, 'connection to NATS lost');
      }
      if (status.type === 'reconnect') {
        isConnected = true;
        log.info({ part: 'broker' }, 'reconnected to NATS');
        listeners.forEach((listener) => listener());
      }
      // A subject that this user may not use: the table of permissions and the server's configuration differ.
      if (status.type === 'error') log.error({ err: status.error, part: 'broker' }, 'NATS refuses a request');
    }
  };
  follow().catch((error: unknown) => log.error({ err: error, part: 'broker' }, 'status of NATS is no longer followed'));
  return {
    connected: () => isConnected && !connection.isClosed(),
    unlessLost<T>(ask: () => Promise<T>): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        const lost = () => reject(new Error('no connection to NATS'));
        if (!isConnected) return lost();
        pendingRequests.add(lost);
        void ask()
          .then(resolve, reject)
          .finally(() => pendingRequests.delete(lost));
      });
    },
    onReconnect(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function streamSettings({ replicas = 1, streamBytesMax = STREAM_BYTES_MAX }: BrokerOptions): Partial<StreamConfig> {
  return {
    num_replicas: replicas,
    max_age: nanos(STREAM_AGE_MAX_MS),
    max_bytes: streamBytesMax,
    max_msgs: STREAM_EVENTS_MAX,
    // A stream that refused new events would block every company's.
    discard: DiscardPolicy.Old,
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
  };
}

async function ensureStream(
  { streams }: JetStreamManager,
  name: string,
  settings: Partial<StreamConfig>,
  log: Logger,
): Promise<StreamInfo> {
  const add = (own: Partial<StreamConfig>) =>
    streams
      .add({ name, retention: RetentionPolicy.Limits, storage: StorageType.File, ...own })
      .catch((error: unknown) => {
        // It is there with other settings, of an earlier version or another number of replicas.
        if (!isApiError(error, STREAM_DIFFERS)) throw error;
        return streams.update(name, own);
      });
  return add(settings).catch((error: unknown) => {
    if (!isApiError(error, STORAGE_INSUFFICIENT)) throw error;
    log.warn({ stream: name }, 'NATS cannot reserve storage for the stream; it is bounded by count and age only');
    return add({ ...settings, max_bytes: -1 });
  });
}

function stateOf({ state, config, created }: StreamInfo, serverId: string): StreamState {
  const { messages, bytes, first_seq: firstSequence, last_seq: lastSequence } = state;
  const bytesMax = config.max_bytes > 0 ? config.max_bytes : Infinity;
  return {
    created: String(created),
    server: config.num_replicas > 1 ? '' : serverId,
    firstSequence,
    lastSequence,
    usage: Math.max(messages / STREAM_EVENTS_MAX, bytes / bytesMax),
  };
}

function isApiError(error: unknown, code: number): boolean {
  return error instanceof JetStreamApiError && error.code === code;
}
