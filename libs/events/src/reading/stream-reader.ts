import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import { withTimeout } from '@parley/clock';
import type { Logger } from '@parley/telemetry';
import type { Broker, TemporaryConsumer } from '../broker/broker.ts';
import { decodeIfEvent, type Event, partitionOf } from '../event/envelope.ts';
import type { Cursor } from '../partitions/follower-state-store.ts';
import { type ReadingProgress, readingProgress } from './reading-progress.ts';

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

export interface StreamReaderOptions {
  service: string;
  /** Whole nouns: an aggregate's events are numbered by noun, so skipping some would look like gaps. */
  nouns: readonly string[];
  broker: Broker;
  log: Logger;
  /** Resolves when more may be read. */
  waitForCapacity: () => Promise<void>;
  onEvent: (event: ReadEvent) => void;
  /** What was read of these partitions and is not completed is read again. */
  onRewind: (service: string, partitions: readonly number[]) => void;
}

export type StreamReader = ReturnType<typeof startStreamReader>;

/** A consumer that is being read. */
interface Reading extends TemporaryConsumer {
  /** Messages that were passed on. */
  delivered: number;
  messages?: ConsumerMessages;
}

const RETRY_MS = 250;
/** How often it is checked whether the events that were published again have been read, before the next ones are requested. */
const RECOVERY_POLL_MS = 50;
/** While their owner is not there. */
const RECOVERY_RETRY_MS = 5000;
const STOP_LIMIT_MS = 1000;
const FETCH_MAX = 200;
const FETCH_EXPIRES_MS = 30_000;

/** Reads some partitions of one stream in order. Nothing is acknowledged and nothing redelivered: cursors hold the position. */
export function startStreamReader(options: StreamReaderOptions) {
  const { broker, service, nouns, log } = options;
  const progress = readingProgress(nouns);
  let reading: Reading | undefined;
  let restart = new AbortController();
  let isStopped = false;
  /** The stream discarded events of this time before they were read; until they are, cursors stay before them. */
  let missingSince: Date | undefined;

  async function read(signal: AbortSignal): Promise<void> {
    const start = await findStart(options, progress);
    // Its owner has not started yet, or makes it again.
    if (!start) return;
    const filters = nouns.flatMap((noun) => broker.eventFilters(service, noun, progress.partitions()));
    const added = await broker.addConsumer(service, { filter_subjects: filters, ...start.config });
    reading = { ...added, delivered: 0 };
    missingSince = earlier(missingSince, start.discardedSince);
    if (missingSince) {
      const missing = { stream: broker.stream(service), since: missingSince };
      log.warn(missing, 'events were discarded before they were read; requesting them again');
    }
    startRecovery(reading);
    while (!signal.aborted) await readBatch(reading, signal, options, progress);
  }

  /**
   * Has the missing events published again, some at a time: the next ones once those are read, because all of them might not fit into
   * the stream.
   */
  async function recoverMissing(current: Reading, since: Date): Promise<void> {
    const next = await broker.requestAgain(service, since);
    const publishedUpTo = (await broker.findStream(service))?.lastSequence ?? 0;
    // The end of a stream that others publish to all the time may never be reached.
    const isRead = async () => progress.readUpTo() >= publishedUpTo || isCaughtUp(current);
    while (reading === current && !(await isRead())) await sleep(RECOVERY_POLL_MS);
    if (reading === current) missingSince = next;
  }

  function startRecovery(current: Reading): void {
    if (!missingSince || reading !== current) return;
    const continueRecovery = () => startRecovery(current);
    recoverMissing(current, missingSince).then(continueRecovery, (error: unknown) => {
      if (broker.connected())
        log.warn({ err: error, stream: broker.stream(service) }, 'events not published again; retrying');
      setTimeout(continueRecovery, RECOVERY_RETRY_MS).unref();
    });
  }

  async function keepReading(): Promise<void> {
    const pause = (ms: number) => sleep(ms, undefined, { signal: restart.signal }).catch(() => undefined);
    while (!isStopped) {
      try {
        if (progress.partitions().length > 0) await read(restart.signal);
        else await pause(FETCH_EXPIRES_MS);
      } catch (error) {
        if (!restart.signal.aborted && broker.connected())
          log.warn({ err: error, stream: broker.stream(service) }, 'reading the stream failed; retrying');
      }
      reading?.remove();
      reading = undefined;
      if (restart.signal.aborted) restart = new AbortController();
      else await pause(RETRY_MS);
    }
  }

  function interrupt(): void {
    restart.abort();
    reading?.messages?.stop();
  }

  // Messages in flight when the connection broke are lost, and perhaps the consumer too.
  const offReconnect = broker.onReconnect(interrupt);
  const ended = keepReading();
  return {
    cursors: () => (missingSince ? {} : progress.cursors()),
    readUpTo: progress.readUpTo,
    stream: progress.stream,
    assign(partitions: readonly number[], cursors: Readonly<Record<number, Cursor>>): void {
      progress.assign(partitions, cursors);
      interrupt();
    },
    /** The number of unread events in the stream. */
    async backlog(): Promise<number> {
      const info = await reading?.consumer.info().catch(() => undefined);
      return info?.num_pending ?? 0;
    },
    /** The partitions that are read, if every event that is in the stream now has been passed on; none otherwise. */
    async caughtUp(): Promise<readonly number[]> {
      const [current, { signal }, partitions] = [reading, restart, progress.partitions()];
      if (!current || missingSince || signal.aborted || !(await isCaughtUp(current).catch(() => false))) return [];
      return signal.aborted || reading !== current ? [] : partitions;
    },
    async stop(): Promise<void> {
      isStopped = true;
      offReconnect();
      interrupt();
      // An unresponsive broker must not delay the stop.
      await withTimeout(STOP_LIMIT_MS, ended);
      reading?.remove();
    },
  };
}

/** Where to start; undefined while there is no stream. */
async function findStart({ broker, service, onRewind }: StreamReaderOptions, progress: ReadingProgress) {
  const found = await broker.findStream(service);
  if (!found) return undefined;
  const start = progress.startConsumer(found);
  if (start.rewound.length > 0) onRewind(service, start.rewound);
  return start;
}

function earlier(one: Date | undefined, other: Date | undefined): Date | undefined {
  return one && other ? new Date(Math.min(one.getTime(), other.getTime())) : (one ?? other);
}

/** Every event that is in the stream now has been passed on. */
async function isCaughtUp(reading: Reading): Promise<boolean> {
  const info = await reading.consumer.info();
  return info.num_pending === 0 && info.delivered.consumer_seq === reading.delivered;
}

async function readBatch(
  reading: Reading,
  signal: AbortSignal,
  options: StreamReaderOptions,
  progress: ReadingProgress,
): Promise<void> {
  await options.waitForCapacity();
  if (signal.aborted) return;
  reading.messages = await reading.consumer.fetch({ max_messages: FETCH_MAX, expires: FETCH_EXPIRES_MS });
  if (signal.aborted) reading.messages.stop();
  for await (const message of reading.messages) {
    if (signal.aborted) return;
    if (message.info.deliverySequence !== reading.delivered + 1) throw new Error('a message was lost');
    accept(message, options, progress);
    reading.delivered += 1;
    await options.waitForCapacity();
  }
}

function accept(message: JsMsg, { service, log, onEvent }: StreamReaderOptions, progress: ReadingProgress): void {
  const { streamSequence, timestampNanos } = message.info;
  const publishedAt = new Date(Number(BigInt(timestampNanos) / 1_000_000n));
  progress.setRead(streamSequence, publishedAt);
  const event = decodeIfEvent(message.data, (error) =>
    log.error({ err: error, subject: message.subject }, 'not an event; dropped'),
  );
  if (!event) return;
  const partition = partitionOf(event.aggregateId);
  const done = progress.begin(partition, streamSequence);
  if (done) onEvent({ event, service, partition, streamSequence, bytes: message.data.byteLength, publishedAt, done });
}
