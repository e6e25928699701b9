import { type Event, nounOf } from '../event/envelope.ts';
import type { CatchUpState, Failing, Progress } from './positions-store.ts';
import { advance, compareTo, lastApplied, merge, type Position } from './position.ts';
import type { ReadEvent } from '../reading/stream-reader.ts';

/** An event that waits in memory. */
export interface QueuedEvent extends ReadEvent {
  /** In milliseconds of `performance.now()`. */
  readonly receivedAtMs: number;
  /** Frees its memory without marking it as done: it is read again. */
  discard(): void;
}

/** The worker of a queue; the README of this folder has the transitions. */
export type QueueState =
  | { readonly kind: 'idle' }
  /** It waits for a free worker. */
  | { readonly kind: 'scheduled' }
  /** One worker at a time, or the catch-up. */
  | { readonly kind: 'running'; readonly work: Promise<void> }
  /** Its partition was handed over: nothing more is started. `work`: what was being done then. */
  | { readonly kind: 'dropped'; readonly work: Promise<void> | undefined };

/** The events of one aggregate and noun that wait to be applied, in their order, and what is known of those before. */
export interface AggregateQueue {
  readonly key: string;
  readonly noun: string;
  readonly companyId: string;
  readonly service: string;
  readonly partition: number;
  position: Position;
  /**
   * Since when it is here without its stored position, in milliseconds of `performance.now()`; undefined once that is read. Its first event
   * came, which needs none.
   */
  unreadSince: number | undefined;
  known: boolean;
  failing: Failing | undefined;
  /** Set while its events are read from the stream again instead of being kept here. */
  behind: CatchUpState | undefined;
  /** The saved part of it: only then may the cursor pass its events. */
  savedBehind: CatchUpState | undefined;
  /** The last event that was left to the catch-up. */
  lastDeferredSequence: number;
  /** Ascending by `aggregateSequence`, each once. */
  items: QueuedEvent[];
  state: QueueState;
  /** Its next events are not applied together with those of other aggregates: that failed, or one is missing before them. */
  isApart: boolean;
  /** Since when the event before the first one is missing, in milliseconds of `performance.now()`. */
  gapSince: number | undefined;
}

export function newQueue(
  key: string,
  of: Pick<ReadEvent, 'service' | 'partition'> & { companyId: string },
  { position, known, failing, behind }: Progress,
  unreadSince?: number,
): AggregateQueue {
  return {
    key,
    noun: key.slice(key.lastIndexOf(':') + 1),
    companyId: of.companyId,
    service: of.service,
    partition: of.partition,
    position,
    unreadSince,
    known,
    failing,
    behind,
    savedBehind: behind,
    lastDeferredSequence: behind?.from ?? 0,
    items: [],
    state: { kind: 'idle' },
    isApart: false,
    gapSince: undefined,
  };
}

export function isDropped({ state }: Pick<AggregateQueue, 'state'>): boolean {
  return state.kind === 'dropped';
}

/** The state of a queue whose partition is handed over. */
export function droppedFrom(state: QueueState): QueueState & { kind: 'dropped' } {
  return { kind: 'dropped', work: state.kind === 'running' || state.kind === 'dropped' ? state.work : undefined };
}

/** The stored position of a queue that was begun without it. */
export function setRead(queue: AggregateQueue, { position, known }: Progress): void {
  queue.position = merge(queue.position, position);
  queue.known ||= known;
  queue.unreadSince = undefined;
}

/** The last event that is applied or waits. */
export function lastSequence({ items, position }: Pick<AggregateQueue, 'items' | 'position'>): number {
  return Math.max(lastApplied(position), items.at(-1)?.event.aggregateSequence ?? 0);
}

/** Inserts an event in order. A duplicate of a waiting event is completed together with it. */
export function insert(queue: AggregateQueue, item: QueuedEvent): void {
  const { aggregateSequence } = item.event;
  const index = queue.items.findLastIndex(({ event }) => event.aggregateSequence <= aggregateSequence);
  const before = queue.items[index];
  if (before?.event.aggregateSequence !== aggregateSequence) return void queue.items.splice(index + 1, 0, item);
  const both = (one: 'done' | 'discard') => () => {
    before[one]();
    item[one]();
  };
  queue.items[index] = { ...before, done: both('done'), discard: both('discard') };
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

/** Returns the items. */
export function setAllApplied(queue: AggregateQueue, items: readonly QueuedEvent[]): readonly QueuedEvent[] {
  items.forEach(({ event }) => setApplied(queue, event.aggregateSequence));
  // Everything that waited may have been discarded meanwhile.
  queue.items = queue.items.filter((item) => !items.includes(item));
  return items;
}

export type NextStep =
  /** Seen before. */
  | 'skip'
  | 'apply'
  /** Something before it is missing and may still come. */
  | 'wait'
  /** Something before it is missing, and it has waited long enough. */
  | 'accept_gap';

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

export function missingSequence({ position }: Pick<AggregateQueue, 'position'>): number {
  return lastApplied(position) + 1;
}

/** Events of one noun of an aggregate are numbered, and so applied in order, on their own. */
export function keyOf({ aggregateId, type }: Event): string {
  return `${aggregateId}:${nounOf(type)}`;
}
