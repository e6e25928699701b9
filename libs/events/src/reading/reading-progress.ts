import { type ConsumerConfig, DeliverPolicy } from '@nats-io/jetstream';
import type { StreamState } from '../broker/broker.ts';
import type { Cursor } from '../partitions/follower-state-store.ts';

/** The stream and server that sequences belong to; see `Cursor`. */
type Origin = Pick<Cursor, 'stream' | 'server'>;

/** How far a partition was read before the present consumer. */
interface PartitionProgress {
  readUpTo: number;
  /** Undefined when the partition was never read. */
  at: Date | undefined;
  origin: Origin;
  /** The messages that were read and are not completed, in the order of the stream. */
  inFlight: Set<number>;
}

/** Where a consumer starts. */
export interface ReadingStart {
  readonly config: Partial<ConsumerConfig>;
  /** Partitions of which messages in flight are read again, because the stream starts over, or sequences were reused. */
  readonly rewound: readonly number[];
  /** The stream was full: events since then were discarded before they were read. */
  readonly discardedSince: Date | undefined;
}

/** The log of a service may have an event this much earlier than the stream: they are written at the same time, by two ways. */
const LOGGED_EARLIER_MS = 60 * 1000;
/** A server without `sync_always` may lose what it stored in its last two minutes before a power cut; and some more. */
const REWIND_MS = 5 * 60 * 1000;

export type ReadingProgress = ReturnType<typeof readingProgress>;

/** How far the partitions of a stream are read and completed. */
export function readingProgress(nouns: readonly string[]) {
  const partitions = new Map<number, PartitionProgress>();
  let origin: Origin = { stream: '', server: '' };
  /** The last message of the present consumer: every partition has been read up to it. */
  let last: { sequence: number; at: Date } | undefined;

  /** Ends the present consumer. */
  function endConsumer(): void {
    if (!last) return;
    for (const one of partitions.values()) {
      one.readUpTo = Math.max(one.readUpTo, last.sequence);
      one.at = last.at;
      one.origin = origin;
    }
    last = undefined;
  }

  return {
    partitions: () => [...partitions.keys()],
    /** Creation time of the stream that is read. */
    stream: () => origin.stream,
    /** The last sequence that was read. */
    readUpTo: () => last?.sequence ?? Math.max(0, ...partitions.values().map(({ readUpTo }) => readUpTo)),

    /** Reads these partitions from now on; new ones from behind their cursor. */
    assign(assigned: readonly number[], cursors: Readonly<Record<number, Cursor>>): void {
      endConsumer();
      for (const partition of partitions.keys()) if (!assigned.includes(partition)) partitions.delete(partition);
      for (const partition of assigned)
        if (!partitions.has(partition)) partitions.set(partition, progressFrom(cursors[partition], nouns));
    },

    /** Continues after the last read sequence, or some minutes before it when the server may have reused sequences. */
    startConsumer(found: StreamState): ReadingStart {
      endConsumer();
      origin = { stream: found.created, server: found.server };
      const rewound = rewind(partitions, origin, found);
      return { ...startOf([...partitions.values()], found), rewound };
    },

    /** The next message of the consumer was read. */
    setRead(sequence: number, at: Date): void {
      last = { sequence, at };
    },

    /** Returns what completes a message; undefined if it was read before, or its partition is not read here. */
    begin(partition: number, sequence: number): (() => void) | undefined {
      const one = partitions.get(partition);
      if (!one || sequence <= one.readUpTo) return undefined;
      const { inFlight } = one;
      inFlight.add(sequence);
      return () => void inFlight.delete(sequence);
    },

    /** The progress by partition, without partitions that have none yet. */
    cursors(): Record<number, Cursor> {
      const entries = [...partitions].flatMap(([partition, one]) => {
        const cursor = cursorOf(last ? { ...one, at: last.at, origin } : one, last?.sequence ?? 0);
        return cursor ? [[partition, { ...cursor, nouns }] as const] : [];
      });
      return Object.fromEntries(entries);
    },
  };
}

function progressFrom(cursor: Cursor | undefined, nouns: readonly string[]): PartitionProgress {
  const isComplete = cursor && nouns.every((noun) => cursor.nouns.includes(noun));
  const { sequence: readUpTo = 0, at, stream = '', server = '' } = isComplete ? cursor : {};
  return { readUpTo, at, origin: { stream, server }, inFlight: new Set() };
}

/** Partitions with sequences of another stream, or that another server may have reused, have to be read again. */
function rewind(
  partitions: ReadonlyMap<number, PartitionProgress>,
  { stream, server }: Origin,
  { lastSequence }: StreamState,
): number[] {
  const rewound: number[] = [];
  for (const [partition, one] of partitions) {
    const isSame = one.origin.stream === stream && one.origin.server === server;
    if (isSame && one.readUpTo <= lastSequence) continue;
    if (one.inFlight.size > 0) rewound.push(partition);
    one.readUpTo = 0;
    one.inFlight = new Set();
  }
  return rewound;
}

function startOf(partitions: readonly PartitionProgress[], found: StreamState): Omit<ReadingStart, 'rewound'> {
  const next = Math.min(...partitions.map(({ readUpTo }) => readUpTo)) + 1;
  const since = Math.min(...partitions.map(({ at }) => at?.getTime() ?? 0));
  if (next > 1) {
    const config = { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: next };
    return {
      config,
      discardedSince: next < found.firstSequence ? new Date(Math.max(0, since - LOGGED_EARLIER_MS)) : undefined,
    };
  }
  if (since === 0) return { config: { deliver_policy: DeliverPolicy.All }, discardedSince: undefined };
  const from = new Date(Math.max(0, since - REWIND_MS)).toISOString();
  return { config: { deliver_policy: DeliverPolicy.StartTime, opt_start_time: from }, discardedSince: undefined };
}

function cursorOf({ at, readUpTo, origin, inFlight }: PartitionProgress, lastRead: number) {
  const sequence = Math.max(readUpTo, lastRead);
  if (!at || sequence === 0) return undefined;
  const [oldest = sequence + 1] = inFlight;
  return { sequence: oldest - 1, at, ...origin };
}
