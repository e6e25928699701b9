import type { BackgroundWork } from '@parley/clock';
import { batch, sharedResult } from '@parley/queues';
import type { Logger } from '@parley/telemetry';
import type { Event } from '../event/envelope.ts';
import type { BatchHandler, FollowerOptions } from './event-handlers.ts';
import type { EventPage } from '../reading/event-pages.ts';
import {
  type AggregateQueue,
  applicable,
  keyOf,
  nextStep,
  type QueuedEvent,
  setApplied,
  setDeferred,
  setBehind,
} from './aggregate-queues.ts';
import type { DeadLetters } from './dead-letters.ts';
import { type Positions, lastApplied } from './positions-store.ts';

type OfFollower = Pick<FollowerOptions, 'relevant' | 'toleratesReplay' | 'withoutPositions'> &
  Required<Pick<FollowerOptions, 'triesMax' | 'retryDelayMs' | 'gapWaitMs' | 'batching'>>;

export interface EventApplierOptions extends OfFollower {
  readonly follower: string;
  readonly positions: Positions;
  readonly deadLetters: Pick<DeadLetters, 'add'>;
  readonly backgroundWork: BackgroundWork;
  readonly log: Logger;
  readonly apply: (events: readonly Event[]) => Promise<void>;
  /** The events that are applied by one call; when it fails, each of them is applied alone. */
  readonly batchPer: BatchHandler['batchPer'] | 'event';
  /** Called before the position is saved. */
  readonly onApplied: (event: Pick<QueuedEvent, 'receivedAtMs'>) => void;
  /** Creation time of the stream of a service. */
  readonly streamCreated: (service: string) => string;
  readonly readEventPages: (of: {
    service: string;
    noun: string;
    partition: number;
    from: number;
  }) => AsyncIterable<EventPage>;
}

/** What applying an aggregate's events needs, from memory and from the stream. */
export interface AggregateWork extends EventApplierOptions {
  /** False when it was not saved because the work ended before. */
  readonly save: (queue: AggregateQueue) => Promise<boolean>;
  /** Saves the position, and completes the events. */
  readonly saveApplied: (queue: AggregateQueue, applied: readonly QueuedEvent[]) => Promise<void>;
  /** See `batchAttempts`. */
  readonly tryBatch: (events: readonly Event[]) => Promise<boolean>;
  /** Nothing more is started with the queue. */
  readonly isEnding: (queue: AggregateQueue) => boolean;
}

/** Events of an aggregate that are applied before its position is saved. */
const CHUNK = 50;
/** Chunks of that many aggregates are one batch. */
export const BATCH_AGGREGATES_MAX = 500;
/** The first events of an unknown aggregate have most likely expired. */
const UNKNOWN_WAIT_SHARE = 0.2;

/** Applies the next events of an aggregate, and saves its position. */
export async function applyChunk(queue: AggregateQueue, work: AggregateWork): Promise<void> {
  const applied: QueuedEvent[] = [];
  let mayBatch = true;
  while (applied.length < CHUNK && !work.isEnding(queue)) {
    const next = mayBatch ? nextBatch(queue, work) : [];
    if (next.length > 0) mayBatch = await tryToApplyBatch(queue, next, work);
    const done = next.length > 0 && mayBatch ? next : await applyFirst(queue, work);
    if (done.length === 0) break;
    for (const item of done) {
      const index = queue.items.indexOf(item);
      // Everything that waited may have been discarded meanwhile.
      if (index >= 0) queue.items.splice(index, 1);
    }
    applied.push(...done);
  }
  await work.saveApplied(queue, applied);
}

/** The events that may be applied by one call; none if each is applied alone. */
function nextBatch(queue: AggregateQueue, work: AggregateWork): QueuedEvent[] {
  if (work.batchPer === 'event') return [];
  const next = applicable(queue, CHUNK, hasGaps(work));
  // A single one may share a batch with those of other aggregates.
  return work.batchPer === 'aggregate' && next.length === 1 ? [] : next;
}

async function tryToApplyBatch(
  queue: AggregateQueue,
  items: readonly QueuedEvent[],
  { tryBatch }: AggregateWork,
): Promise<boolean> {
  const isApplied = await tryBatch(items.map(({ event }) => event));
  if (isApplied) items.forEach(({ event }) => setApplied(queue, event.aggregateSequence));
  return isApplied;
}

/** The first event; nothing if there is none, or it has to wait or has failed. */
async function applyFirst(queue: AggregateQueue, work: AggregateWork): Promise<QueuedEvent[]> {
  const [item] = queue.items;
  if (!item) return [];
  const step = nextStep(queue, item.event.aggregateSequence, gapWaitMsOf(queue, work), performance.now());
  if (step === 'wait') return [];
  if (step === 'accept_gap') logGap(queue, item.event, work);
  if (step === 'skip' || (await tryToApply(queue, item.event, work))) return [item];
  const failedUntil = retryAt(queue, work);
  // None if they were discarded while the handler ran, the failing one too: whoever reads the partition now reads them again.
  for (const one of queue.items.splice(0)) defer(queue, one, work, failedUntil);
  return [];
}

/** Resolves with true when the event needs no further attempt: it was applied, or became a dead letter. */
async function tryToApply(queue: AggregateQueue, event: Event, options: EventApplierOptions): Promise<boolean> {
  const { follower, apply, deadLetters, triesMax, log } = options;
  const sequence = event.aggregateSequence;
  try {
    await apply([event]);
  } catch (error) {
    const tries = (queue.failing?.sequence === sequence ? queue.failing.tries : 0) + 1;
    if (tries < triesMax || isUnavailable(error)) {
      queue.failing = { sequence, tries };
      log.warn({ err: error, follower, event: event.id, type: event.type, tries }, 'event not applied; retrying');
      return false;
    }
    await deadLetters.add(event, error);
  }
  setApplied(queue, sequence);
  return true;
}

/** When the failed event of a queue is tried again. */
function retryAt({ failing }: AggregateQueue, { retryDelayMs }: EventApplierOptions): Date {
  return new Date(Date.now() + (failing ? retryDelayMs(failing.tries) : 0));
}

/**
 * Applies the next events of aggregates by one call: those of one, or of all that have some at the same time. False when that has failed, or
 * there is only one event: each is applied alone then.
 */
export function batchAttempts(options: EventApplierOptions): (events: readonly Event[]) => Promise<boolean> {
  const { follower, apply, batchPer, log } = options;
  const tryBatch = async (chunks: readonly (readonly Event[])[]) => {
    const events = chunks.flat();
    if (events.length === 1) return false;
    try {
      await apply(events);
      return true;
    } catch (error) {
      log.warn({ err: error, follower, events: events.length }, 'batch of events not applied; applying each alone');
      return false;
    }
  };
  return batch(sharedResult(tryBatch), {
    max: BATCH_AGGREGATES_MAX,
    keyBy: ([first]) => (first && batchPer === 'aggregate' ? keyOf(first) : ''),
  });
}

/**
 * Checks the name only, because this library does not depend on libs/rpc. A service that does not respond now will respond later,
 * so the event does not become a dead letter.
 */
function isUnavailable(error: unknown): boolean {
  return error instanceof Error && error.name === 'Unavailable';
}

/** Leaves an event to the catch-up. It may be dropped once the position for reading it again is stored. */
export function defer(
  queue: AggregateQueue,
  item: QueuedEvent,
  { follower, log, streamCreated, save }: AggregateWork,
  resumeAt?: Date,
): void {
  setDeferred(queue, streamCreated(queue.service), item.streamSequence, resumeAt);
  item.discard();
  if (queue.savedBehind === queue.behind) return item.done();
  save(queue).then(
    (isSaved) => isSaved && item.done(),
    (error: unknown) => log.error({ err: error, follower }, 'position not saved'),
  );
}

/** True for a follower to which gaps are normal. */
function hasGaps({ relevant, withoutPositions = false }: EventApplierOptions): boolean {
  return withoutPositions || relevant !== undefined;
}

/** How long the first event of a queue waits for a missing one before it. */
export function gapWaitMsOf(queue: AggregateQueue, options: EventApplierOptions): number {
  if (hasGaps(options)) return 0;
  return queue.known ? options.gapWaitMs : options.gapWaitMs * UNKNOWN_WAIT_SHARE;
}

function logGap(queue: AggregateQueue, event: Event, options: EventApplierOptions): void {
  if (!queue.known || hasGaps(options)) return;
  const { follower, log } = options;
  const missing = lastApplied(queue.position) + 1;
  log.warn({ follower, event: event.id, missing }, 'an event is missing; going on without it');
}

/** How long an aggregate catches up before another one has its turn. */
const SLICE_MS = 1000;

/** Reads the events of an aggregate that is behind from the stream again, and applies them: all, until one fails, or for a second. */
export async function catchUp(queue: AggregateQueue, work: AggregateWork): Promise<void> {
  const { service, noun, partition, behind } = queue;
  const until = performance.now() + SLICE_MS;
  const from = behind?.stream === work.streamCreated(service) ? behind.from : 1;
  for await (const page of work.readEventPages({ service, noun, partition, from })) {
    if (work.isEnding(queue)) return;
    const hasEnded = await applyPage(queue, page, work);
    await work.save(queue);
    if (hasEnded || performance.now() > until) return;
  }
}

/** True when the aggregate is not behind any more, or has to wait. */
async function applyPage(queue: AggregateQueue, page: EventPage, work: AggregateWork): Promise<boolean> {
  const stream = work.streamCreated(queue.service);
  const events = page.events
    .filter(({ event }) => keyOf(event) === queue.key)
    .sort((a, b) => a.event.aggregateSequence - b.event.aggregateSequence);
  for (const [index, { event }] of events.entries()) {
    const step = nextStep(queue, event.aggregateSequence, 0, 0);
    if (step === 'accept_gap') logGap(queue, event, work);
    if (step === 'skip' || (await tryToApply(queue, event, work))) continue;
    const left = events.slice(index).map(({ streamSequence }) => streamSequence);
    setBehind(queue, stream, Math.min(...left), retryAt(queue, work));
    return true;
  }
  const isCaughtUp = page.isLast && page.upTo >= queue.lastDeferredSequence;
  if (isCaughtUp) queue.behind = undefined;
  else setBehind(queue, stream, page.upTo + 1, new Date());
  return isCaughtUp;
}
