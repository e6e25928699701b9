import { setTimeout as sleep } from 'node:timers/promises';
import {
  AckPolicy,
  type Consumer,
  type ConsumerConfig,
  type ConsumerMessages,
  DeliverPolicy,
  type JsMsg,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Logger } from '@parley/telemetry';
import type { Broker, StreamState } from '../broker/broker.ts';
import type { Cursor } from '../partitions/follower-state-store.ts';
import { type InFlightMessages, trackInFlightMessages } from './in-flight-messages.ts';
import { partitionOf } from '../broker/partition.ts';
import { decodeEvent, type Event } from '../event/envelope.ts';

/** An event as it was read from a stream. */
export interface ReadEvent {
  readonly event: Event;
  readonly service: string;
  readonly partition: number;
  readonly streamSequence: number;
  readonly bytes: number;
  /** When the stream stored it. */
  readonly publishedAt: Date;
  /** It is applied, noted as behind, or of no interest: it need not be read again. */
  done(): void;
}

/** Reads some partitions of one stream in order. Nothing is acknowledged and nothing redelivered: cursors hold the position. */
export interface StreamReader {
  /** Reads these partitions from now on; new ones from behind their cursor. */
  assign(partitions: readonly number[], cursors: Readonly<Record<number, Cursor>>): void;
  /** The progress by partition, without partitions that have none yet. */
  cursors(): Record<number, Cursor>;
  /** The last sequence that was read. */
  readUpTo(): number;
  /** Creation time of the stream that is read. */
  stream(): string;
  /** The number of unread events in the stream. */
  backlog(): Promise<number>;
  /** The partitions that are read, if every event that is in the stream now has been passed on; none otherwise. */
  caughtUp(): Promise<readonly number[]>;
  stop(): Promise<void>;
}

export interface StreamReaderOptions {
  service: string;
  /** Whole nouns: an aggregate's events are numbered by noun, so skipping some would look like gaps. */
  nouns: readonly string[];
  broker: Broker;
  log: Logger;
  /** Resolves when more may be read. */
  waitForCapacity: () => Promise<void>;
  onEvent: (event: ReadEvent) => void;
  /** The stream starts over, or sequences were reused: what was read and not applied is read again. */
  onRewind: () => void;
}

const RETRY_MS = 250;
const STOP_LIMIT_MS = 1000;
const FETCH_MAX = 200;
const FETCH_EXPIRES_MS = 30_000;
/** The server removes a consumer without a reader after this time. */
const INACTIVE_MS = 60_000;
/** A server without `sync_always` may lose what it stored in its last two minutes before a power cut; and some more. */
const REWIND_MS = 5 * 60 * 1000;

/** The progress of a partition before the current consumer was created. */
interface PartitionProgress {
  readUpTo: number;
  /** Undefined when the partition was never read. */
  at: Date | undefined;
  origin: Origin;
  inFlight: InFlightMessages;
}

/** The stream and server that sequences belong to; see `Cursor`. */
type Origin = Pick<Cursor, 'stream' | 'server'>;

const UNKNOWN: Origin = { stream: '', server: '' };
const isSame = (a: Origin, b: Origin) => a.stream === b.stream && a.server === b.server;

export function startStreamReader(options: StreamReaderOptions): StreamReader {
  const { service, nouns, broker, log, waitForCapacity, onEvent, onRewind } = options;
  const streamName = broker.stream(service);
  const stopping = new AbortController();
  const progress = new Map<number, PartitionProgress>();
  /** The last message of the present consumer: every partition has been read up to it. */
  let last: { sequence: number; at: Date } | undefined;
  let origin = UNKNOWN;
  let consumer: Consumer | undefined;
  let messages: ConsumerMessages | undefined;
  /** Messages of the present consumer that were passed on. */
  let delivered = 0;
  let restart = new AbortController();

  function saveProgress(): void {
    for (const one of progress.values()) {
      if (!last) break;
      one.readUpTo = Math.max(one.readUpTo, last.sequence);
      one.at = last.at;
      one.origin = origin;
    }
    last = undefined;
  }

  /** Continues after the last read sequence, or some minutes before it when the server may have reused sequences. */
  function startOfReading(found: StreamState): Partial<ConsumerConfig> {
    const { created, server, firstSequence, lastSequence } = found;
    saveProgress();
    origin = { stream: created, server };
    const all = [...progress.values()];
    let rewound = false;
    for (const one of all) {
      if (isSame(one.origin, origin) && one.readUpTo <= lastSequence) continue;
      rewound ||= one.inFlight.size() > 0;
      one.readUpTo = 0;
      one.inFlight = trackInFlightMessages();
    }
    if (rewound) onRewind();
    if (all.every(({ readUpTo }) => readUpTo > 0)) {
      const sequence = Math.min(...all.map(({ readUpTo }) => readUpTo)) + 1;
      if (sequence < firstSequence) requestDiscarded(all);
      return { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: sequence };
    }
    const times = all.flatMap(({ at }) => (at ? [at.getTime()] : []));
    if (times.length < all.length) return { deliver_policy: DeliverPolicy.All };
    const from = new Date(Math.max(0, Math.min(...times) - REWIND_MS));
    return { deliver_policy: DeliverPolicy.StartTime, opt_start_time: from.toISOString() };
  }

  /** The stream was full and discarded events that were not read: their owner publishes them again from its log. */
  function requestDiscarded(all: readonly PartitionProgress[]): void {
    const since = new Date(Math.min(...all.map(({ at }) => at?.getTime() ?? 0)));
    log.warn({ stream: streamName, since }, 'events were discarded before they were read; requesting them again');
    broker.connection.publish(broker.republishSubject(service), since.toISOString());
  }

  async function consume(): Promise<void> {
    const { signal } = restart;
    const found = await broker.findStream(service);
    // Its owner has not started yet, or makes it again.
    if (!found) return;
    const start = startOfReading(found);
    const info = await broker.unlessLost(() =>
      broker.manager.consumers.add(streamName, {
        ack_policy: AckPolicy.None,
        filter_subjects: nouns.flatMap((noun) => broker.eventFilters(service, noun, [...progress.keys()])),
        inactive_threshold: nanos(INACTIVE_MS),
        mem_storage: true,
        num_replicas: 1,
        ...start,
      }),
    );
    const current = (consumer = broker.jetstream.consumers.getConsumerFromInfo(info));
    delivered = 0;
    while (!signal.aborted) {
      await waitForCapacity();
      if (signal.aborted) break;
      const batch = (messages = await current.fetch({ max_messages: FETCH_MAX, expires: FETCH_EXPIRES_MS }));
      if (signal.aborted) batch.stop();
      for await (const message of batch) {
        if (signal.aborted) break;
        if (message.info.deliverySequence !== delivered + 1) throw new Error('a message was lost');
        accept(message);
        delivered += 1;
        await waitForCapacity();
      }
    }
  }

  function accept(message: JsMsg): void {
    const { streamSequence, timestampNanos } = message.info;
    const publishedAt = new Date(Number(BigInt(timestampNanos) / 1_000_000n));
    last = { sequence: streamSequence, at: publishedAt };
    const event = decoded(message);
    if (!event) return;
    const partition = partitionOf(event.aggregateId);
    const one = progress.get(partition);
    if (!one || streamSequence <= one.readUpTo) return;
    const { inFlight } = one;
    inFlight.add(streamSequence);
    const bytes = message.data.byteLength;
    const done = () => inFlight.remove(streamSequence);
    onEvent({ event, service, partition, streamSequence, bytes, publishedAt, done });
  }

  function decoded(message: JsMsg): Event | undefined {
    try {
      return decodeEvent(message.data);
    } catch (error) {
      log.error({ err: error, subject: message.subject }, 'not an event; dropped');
      return undefined;
    }
  }

  async function keepReading(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        if (progress.size > 0) await consume();
        else await sleep(FETCH_EXPIRES_MS, undefined, { signal: restart.signal }).catch(() => undefined);
      } catch (error) {
        if (!restart.signal.aborted && broker.connected())
          log.warn({ err: error, stream: streamName }, 'reading the stream failed; retrying');
      }
      deleteConsumer();
      if (restart.signal.aborted) restart = new AbortController();
      else await sleep(RETRY_MS, undefined, { signal: restart.signal }).catch(() => undefined);
    }
  }

  function deleteConsumer(): void {
    const old = consumer;
    consumer = messages = undefined;
    // The server would remove it a minute later.
    if (old && broker.connected()) void old.delete().catch(() => undefined);
  }

  function interrupt(): void {
    restart.abort();
    messages?.stop();
  }

  // Messages in flight when the connection broke are lost, and perhaps the consumer too.
  const offReconnect = broker.onReconnect(interrupt);
  const reading = keepReading();
  return {
    assign(partitions, cursors) {
      saveProgress();
      for (const partition of progress.keys()) if (!partitions.includes(partition)) progress.delete(partition);
      for (const partition of partitions) {
        if (progress.has(partition)) continue;
        const cursor = cursors[partition];
        const isComplete = cursor && nouns.every((noun) => cursor.nouns.includes(noun));
        const { sequence = 0, at, stream = '', server = '' } = isComplete ? cursor : {};
        progress.set(partition, {
          readUpTo: sequence,
          at,
          origin: { stream, server },
          inFlight: trackInFlightMessages(),
        });
      }
      interrupt();
    },
    cursors() {
      const entries = [...progress].flatMap(([partition, one]): [number, Cursor][] => {
        const at = last?.at ?? one.at;
        const readUpTo = Math.max(one.readUpTo, last?.sequence ?? 0);
        if (!at || readUpTo === 0) return [];
        const oldest = one.inFlight.oldest();
        const sequence = oldest === undefined ? readUpTo : oldest - 1;
        return [[partition, { sequence, at, ...(last ? origin : one.origin), nouns }]];
      });
      return Object.fromEntries(entries);
    },
    readUpTo: () => last?.sequence ?? Math.max(0, ...[...progress.values()].map(({ readUpTo }) => readUpTo)),
    stream: () => origin.stream,
    async backlog() {
      const info = await consumer?.info().catch(() => undefined);
      return info?.num_pending ?? 0;
    },
    async caughtUp() {
      const [current, { signal }, partitions] = [consumer, restart, [...progress.keys()]];
      const info = signal.aborted ? undefined : await current?.info().catch(() => undefined);
      if (!info || signal.aborted || consumer !== current) return [];
      return info.num_pending === 0 && info.delivered.consumer_seq === delivered ? partitions : [];
    },
    async stop() {
      stopping.abort();
      offReconnect();
      interrupt();
      // An unresponsive broker must not delay the stop.
      const limit = new AbortController();
      await Promise.race([reading, sleep(STOP_LIMIT_MS, undefined, { signal: limit.signal }).catch(() => undefined)]);
      limit.abort();
      deleteConsumer();
    },
  };
}
