import { type Event, nounOf } from '../event/envelope.ts';
import {
  BEHIND_MAX,
  type CatchUpState,
  type Failing,
  type Progress,
  advance,
  compareTo,
  lastApplied,
  merge,
  type Position,
  type Positions,
} from './positions-store.ts';
import type { ReadEvent } from '../reading/stream-reader.ts';

/** An event that waits in memory. */
export interface QueuedEvent extends ReadEvent {
  /** In milliseconds of `performance.now()`. */
  readonly receivedAtMs: number;
  /** Frees its memory without marking it as done: it is read again. */
  discard(): void;
}

/** The events of one aggregate and noun that wait to be applied, in their order, and what is known of those before. */
export interface AggregateQueue {
  readonly key: string;
  readonly noun: string;
  readonly companyId: string;
  readonly service: string;
  readonly partition: number;
  position: Position;
  /** False for an aggregate without a stored position. */
  known: boolean;
  /** Set while it is here without its stored position, because its first event needs none; in milliseconds of `performance.now()`. */
  unreadSince: number | undefined;
  failing: Failing | undefined;
  /** Set while its events are read from the stream again instead of being kept here. */
  behind: CatchUpState | undefined;
  /** The saved part of it: only then may the cursor pass its events. */
  savedBehind: CatchUpState | undefined;
  /** The last event that was left to the catch-up. */
  lastDeferredSequence: number;
  /** Ascending by `aggregateSequence`, each once. */
  items: QueuedEvent[];
  /** `scheduled`: it waits for a worker. `dropped`: its partition was handed over, and nothing more is started. */
  state: 'idle' | 'scheduled' | 'running' | 'dropped';
  /** What its worker does. */
  work: Promise<void> | undefined;
  /** Since when the event before the first one is missing, in milliseconds of `performance.now()`. */
  gapSince: number | undefined;
}

export function newQueue(
  key: string,
  aggregate: Pick<AggregateQueue, 'companyId' | 'service' | 'partition'>,
  progress: Progress,
  unreadSince?: number,
): AggregateQueue {
  return {
    key,
    noun: key.slice(key.lastIndexOf(':') + 1),
    ...aggregate,
    ...progress,
    unreadSince,
    savedBehind: progress.behind,
    lastDeferredSequence: progress.behind?.from ?? 0,
    items: [],
    state: 'idle',
    work: undefined,
    gapSince: undefined,
  };
}

/** The stored position of a queue that was begun without it. */
function setRead(queue: AggregateQueue, { position, known }: Progress): void {
  queue.position = merge(queue.position, position);
  queue.known ||= known;
  queue.unreadSince = undefined;
}

/** The last event that is applied or waits. */
function lastSequence({ items, position }: Pick<AggregateQueue, 'items' | 'position'>): number {
  return Math.max(lastApplied(position), items.at(-1)?.event.aggregateSequence ?? 0);
}

/** Inserts an event in order; false when it is waiting already. */
export function insert({ items }: Pick<AggregateQueue, 'items'>, item: QueuedEvent): boolean {
  const { aggregateSequence } = item.event;
  const index = items.findLastIndex(({ event }) => event.aggregateSequence <= aggregateSequence);
  if (items[index]?.event.aggregateSequence === aggregateSequence) return false;
  items.splice(index + 1, 0, item);
  return true;
}

/** The first events of a queue, `max` at most, that may be applied now, one after the other. */
export function applicable(
  { items, position, failing }: Pick<AggregateQueue, 'items' | 'position' | 'failing'>,
  max: number,
  hasGaps: boolean,
): QueuedEvent[] {
  const next: QueuedEvent[] = [];
  let reached = position;
  for (const item of failing ? [] : items.slice(0, max)) {
    const order = compareTo(reached, item.event.aggregateSequence);
    if (order !== 'next' && !(order === 'early' && hasGaps)) break;
    reached = advance(reached, item.event.aggregateSequence);
    next.push(item);
  }
  return next;
}

export function setApplied(queue: AggregateQueue, sequence: number): void {
  queue.position = advance(queue.position, sequence);
  queue.known = true;
  queue.failing = undefined;
  queue.gapSince = undefined;
}

/** `skip`: seen before. `wait`: something before it is missing and may still come; `accept_gap`: it has waited long enough for that. */
export type NextStep = 'skip' | 'apply' | 'wait' | 'accept_gap';

/** Decides about the first event of a queue. A missing event is waited for during `gapWaitMs`. */
export function nextStep(
  queue: Pick<AggregateQueue, 'position' | 'gapSince'>,
  sequence: number,
  gapWaitMs: number,
  elapsedMs: number,
): NextStep {
  const order = compareTo(queue.position, sequence);
  if (order === 'applied') return 'skip';
  if (order === 'next') return 'apply';
  const waitedMs = queue.gapSince === undefined ? 0 : elapsedMs - queue.gapSince;
  return waitedMs < gapWaitMs ? 'wait' : 'accept_gap';
}

/** Its events are read again from a sequence of the stream on, at that time. */
export function setBehind(queue: AggregateQueue, stream: string, from: number, resumeAt: Date): void {
  const { service, partition } = queue;
  queue.behind = { service, partition, stream, from, resumeAt };
}

/** One of its events is not kept here: it is read again with those from before, if there are any. */
export function setDeferred(
  queue: AggregateQueue,
  stream: string,
  streamSequence: number,
  resumeAt = queue.behind?.resumeAt ?? new Date(),
): void {
  const { behind } = queue;
  const isSameStream = behind?.stream === stream;
  if (!behind) setBehind(queue, stream, streamSequence, resumeAt);
  else if (!isSameStream || streamSequence < behind.from || resumeAt !== behind.resumeAt)
    setBehind(queue, stream, isSameStream ? Math.min(behind.from, streamSequence) : 1, resumeAt);
  queue.lastDeferredSequence = Math.max(queue.lastDeferredSequence, streamSequence);
}

/** Events of one noun of an aggregate are numbered, and so applied in order, on their own. */
export function keyOf({ aggregateId, type }: Event): string {
  return `${aggregateId}:${nounOf(type)}`;
}

const IDLE_QUEUES_MAX = 20_000;
/** What tells a handler that it has applied an event may be gone when the aggregate is older. */
const UNREAD_MAX_MS = 60_000;

/** The aggregates of the partitions that are applied here. `onBehind` is called with each that is behind when it is added. */
export function openAggregateQueues(
  { positions, toleratesReplay }: { positions: Positions; toleratesReplay?: (event: Event) => boolean },
  onBehind: (queue: AggregateQueue) => void,
) {
  /** Those that were idle the longest come first. */
  const queues = new Map<string, AggregateQueue>();
  const owned = new Set<number>();
  /** Partitions of which not every aggregate that is behind is in memory. */
  const partlyListed = new Set<number>();

  function add(queue: AggregateQueue): AggregateQueue {
    queues.set(queue.key, queue);
    if (queue.behind) onBehind(queue);
    return queue;
  }

  function removeIdle(): void {
    if (queues.size <= IDLE_QUEUES_MAX) return;
    for (const [key, { items, state, behind }] of queues) {
      if (items.length === 0 && state === 'idle' && !behind) queues.delete(key);
      if (queues.size <= IDLE_QUEUES_MAX / 2) return;
    }
  }

  return {
    owns: (partition: number) => owned.has(partition),
    countBehind: () => queues.values().reduce((count, { behind }) => (behind ? count + 1 : count), 0),
    /** Reads the positions that are needed to apply some events; returns the queue of each. */
    async find(items: readonly QueuedEvent[]): Promise<(item: QueuedEvent) => AggregateQueue> {
      removeIdle();
      const nowMs = performance.now();
      const read = keysToRead(items, { queues, partlyListed, toleratesReplay, nowMs });
      const progressOf = await positions.read([...read]);
      return ({ event, service, partition }) => {
        const key = keyOf(event);
        const known = queues.get(key);
        queues.delete(key);
        if (known?.unreadSince !== undefined && read.has(key)) setRead(known, progressOf(key));
        if (known) queues.set(key, known);
        const aggregate = { companyId: event.companyId, service, partition };
        return known ?? add(newQueue(key, aggregate, progressOf(key), read.has(key) ? undefined : nowMs));
      };
    },
    /** Forgets the events that fit. */
    discard(fits: (item: QueuedEvent) => boolean): void {
      for (const queue of queues.values()) {
        const kept = queue.items.filter((item) => !fits(item));
        if (kept.length < queue.items.length) queue.gapSince = undefined;
        queue.items = kept;
      }
    },
    /** Takes up partitions, and what is behind in them. */
    async own(partitions: readonly number[]): Promise<void> {
      for (const partition of partitions) owned.add(partition);
      for (const partition of partitions) {
        const listed = await positions.behind(partition);
        if (listed.length < BEHIND_MAX) partlyListed.delete(partition);
        else partlyListed.add(partition);
        for (const { key, progress } of listed)
          if (!queues.has(key) && progress.behind)
            add(newQueue(key, { companyId: '', service: progress.behind.service, partition }, progress));
      }
    },
    /** Hands over all other partitions. Events that were not started are left to the next owner. */
    async keep(partitions: readonly number[]): Promise<void> {
      for (const partition of owned) if (!partitions.includes(partition)) owned.delete(partition);
      const dropped = [...queues.values()].filter(({ partition }) => !owned.has(partition));
      for (const queue of dropped) {
        queue.state = 'dropped';
        queue.items.splice(0).forEach((item) => item.discard());
        queues.delete(queue.key);
      }
      await Promise.all(dropped.flatMap(({ work }) => work ?? []));
    },
  };
}

/**
 * The aggregates of which the stored positions are needed before these events are queued. Without one, an event is applied that may be
 * replayed and that directly follows what has arrived here, from the first event on: at worst it is applied again.
 */
export function keysToRead(
  events: readonly Pick<QueuedEvent, 'event' | 'partition'>[],
  known: {
    readonly queues: ReadonlyMap<string, AggregateQueue>;
    /** Partitions of which not every aggregate that is behind is in memory. */
    readonly partlyListed: ReadonlySet<number>;
    readonly toleratesReplay: ((event: Event) => boolean) | undefined;
    /** In milliseconds of `performance.now()`. */
    readonly nowMs: number;
  },
): Set<string> {
  const { queues, partlyListed, toleratesReplay, nowMs } = known;
  const needed = new Set<string>();
  const reached = new Map<string, number>();
  for (const { event, partition } of events) {
    const key = keyOf(event);
    const queue = queues.get(key);
    if (queue && queue.unreadSince === undefined) continue;
    const last = reached.get(key) ?? (queue ? lastSequence(queue) : 0);
    reached.set(key, Math.max(last, event.aggregateSequence));
    const isYoung = nowMs - (queue?.unreadSince ?? nowMs) < UNREAD_MAX_MS;
    const mayBeUnread = isYoung && !partlyListed.has(partition) && event.aggregateSequence <= last + 1;
    if (!mayBeUnread || !toleratesReplay?.(event)) needed.add(key);
  }
  return needed;
}
