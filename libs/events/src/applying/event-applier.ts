import { setTimeout as sleep } from 'node:timers/promises';
import type { BackgroundWork } from '@parley/clock';
import type { Logger } from '@parley/telemetry';
import { fairQueue } from '@parley/queues';
import { openAggregateGroups, orApart } from './aggregate-groups.ts';
import {
  type AggregateQueue,
  applicable,
  droppedFrom,
  insert,
  isDropped,
  keyOf,
  missingSequence,
  newQueue,
  nextStep,
  type QueuedEvent,
  setAllApplied,
  setRead,
} from './aggregate-queue.ts';
import { type CatchUpOptions, openCatchUp } from './catch-up.ts';
import type { DeadLetters } from './dead-letters.ts';
import { eventAttempts } from './event-attempts.ts';
import { openEventIntake } from './event-intake.ts';
import type { Event } from '../event/envelope.ts';
import { keysToRead } from './keys-to-read.ts';
import { compareTo } from './position.ts';
import { BEHIND_MAX, type Positions } from './positions-store.ts';
import type { ReadEvent } from '../reading/stream-reader.ts';
import { countWaitingEvents } from './waiting-events.ts';

export interface EventApplierOptions {
  follower: string;
  positions: Positions;
  deadLetters: DeadLetters;
  backgroundWork: BackgroundWork;
  log: Logger;
  apply: (event: Event) => Promise<void>;
  /** Applies several events at once, those of each aggregate in order. When it fails, they are applied one by one. */
  applyTogether?: ((events: readonly Event[]) => Promise<void>) | undefined;
  /** `aggregate`: only events of one aggregate are applied together. */
  togetherOf?: 'all' | 'aggregate' | undefined;
  /** Selects the events that the follower needs; the others are skipped. Gaps are normal then, and not waited for. */
  relevant: ((events: readonly Event[]) => Promise<readonly boolean[]>) | undefined;
  relevantNouns?: readonly string[] | undefined;
  /**
   * True for an event that the handler recognises when it is applied again, by what it has written. The first events of an aggregate are
   * then applied without its position, and positions are saved when the next events are being applied already.
   */
  recognises?: ((event: Event) => boolean) | undefined;
  triesMax: number;
  retryDelayMs: (tries: number) => number;
  gapWaitMs: number;
  /** Under load, events are collected for this time, so that many share a round trip to the database. */
  waitMs: number;
  /** Those that arrive sooner after the last ones wait for the rest of this time. */
  spacingMs?: number | undefined;
  /** Called before the position is saved. */
  onApplied?: (event: Pick<QueuedEvent, 'receivedAtMs'>) => void;
  /** Creation time of the stream of a service. */
  streamCreated: (service: string) => string;
  readEventPages: CatchUpOptions['readEventPages'];
}

/**
 * Applies the events of the partitions it is assigned: sequentially within an aggregate, aggregates concurrently, companies
 * in turn. An aggregate that fails or has too many events waiting is marked as behind in the database and read from the
 * stream again later, so that it neither fills the memory nor holds back the cursor.
 */
export interface EventApplier {
  accept(event: ReadEvent): void;
  /** Resolves when there is memory for more events. */
  waitForCapacity(): Promise<void>;
  /** Ends the work on all other partitions. Events that were not started are left to the next owner. */
  drop(keep: readonly number[]): Promise<void>;
  /** Takes up what is behind in partitions that are new here. */
  add(partitions: readonly number[]): Promise<void>;
  /** Events that were not started will be read again. */
  discardWaiting(): void;
  waiting(): number;
  /** Resolves when the events that are waiting now are no more: whether all of them were applied. */
  settled(): Promise<boolean>;
  behind(): number;
  stop(): void;
}

const WORKERS = 64;
/** Events of an aggregate that are applied before its position is saved. */
const CHUNK = 50;
/** Events of one aggregate in memory; fewer when memory is short. */
const QUEUE_MAX = 6000;
const QUEUE_MAX_WHEN_FULL = 10;
/** The first events of an unknown aggregate have most likely expired. */
const UNKNOWN_WAIT_SHARE = 0.2;
const IDLE_QUEUES_MAX = 20_000;
const RETRY_SAVE_MS = 500;

export function startEventApplier(options: EventApplierOptions): EventApplier {
  const { follower, positions, backgroundWork, log, applyTogether, relevant, streamCreated } = options;
  const { waitMs, spacingMs = 0, togetherOf = 'all', recognises, onApplied } = options;
  /** True for a queue in which gaps are normal. */
  const hasGaps = ({ noun }: AggregateQueue) =>
    relevant !== undefined && (options.relevantNouns?.includes(noun) ?? true);
  const queues = new Map<string, AggregateQueue>();
  const ready = fairQueue<AggregateQueue>();
  let owned: ReadonlySet<number> = new Set();
  /** Partitions of which not every aggregate that is behind is in memory. */
  const partlyListed = new Set<number>();
  const saving = new Set<Promise<void>>();
  const memory = countWaitingEvents();
  const intake = openEventIntake({ follower, backgroundWork, log, waitMs, spacingMs, ingest });
  const { tryToApply, retryAt } = eventAttempts(options);
  let workers = 0;
  let stopped = false;

  const catchUp = openCatchUp({
    follower,
    log,
    streamCreated,
    readEventPages: options.readEventPages,
    apply: tryToApply,
    retryAt,
    acceptGap,
    save,
    runExclusively,
  });

  const tryTogether = applyTogether && orApart(applyTogether, follower, log);
  const groups =
    tryTogether && togetherOf === 'all'
      ? openAggregateGroups({
          applicable: (queue) => applicable(queue, CHUNK, hasGaps(queue)),
          tryToApply: tryTogether,
          saveApplied,
          runExclusively,
          isStopped: () => stopped,
        })
      : undefined;

  async function ingest(batch: readonly QueuedEvent[]): Promise<void> {
    const wanted = relevant && (await relevant(batch.map(({ event }) => event)));
    const items = wanted ? batch.filter((_, index) => wanted[index]) : batch;
    const unread = keysToRead(items, { queues, partlyListed, recognises, nowMs: performance.now() });
    const progressOf = await positions.read([...unread]);
    for (const [index, item] of batch.entries()) {
      if (!owned.has(item.partition)) item.discard();
      else if (wanted && !wanted[index]) skip(item);
      else enqueue(queueOf(item, progressOf, unread), item);
    }
    dropIdle();
  }

  /** It is of no interest, or was applied before. */
  function skip(item: QueuedEvent): void {
    onApplied?.(item);
    item.done();
  }

  function queueOf(
    { event, service, partition }: QueuedEvent,
    progressOf: Awaited<ReturnType<Positions['read']>>,
    read: ReadonlySet<string>,
  ): AggregateQueue {
    const key = keyOf(event);
    const of = { companyId: event.companyId, service, partition };
    const queue = queues.get(key) ?? newQueue(key, of, progressOf(key), read.has(key) ? undefined : performance.now());
    if (queue.unreadSince !== undefined && read.has(key)) setRead(queue, progressOf(key));
    // To the end: the first ones of the map are those that were idle the longest.
    queues.delete(key);
    queues.set(key, queue);
    if (queue.behind) catchUp.add(queue);
    return queue;
  }

  function enqueue(queue: AggregateQueue, item: QueuedEvent): void {
    if (compareTo(queue.position, item.event.aggregateSequence) === 'applied') return skip(item);
    const max = memory.isShort() ? QUEUE_MAX_WHEN_FULL : QUEUE_MAX;
    if (!queue.behind && queue.items.length >= max) catchUp.setBehind(queue, item.streamSequence, new Date());
    if (queue.behind) return leaveToCatchUp(queue, item);
    insert(queue, item);
    schedule(queue);
  }

  function dropIdle(): void {
    if (queues.size <= IDLE_QUEUES_MAX) return;
    for (const [key, { items, state, behind }] of queues) {
      if (items.length === 0 && state.kind === 'idle' && !behind) queues.delete(key);
      if (queues.size <= IDLE_QUEUES_MAX / 2) return;
    }
  }

  function schedule(queue: AggregateQueue): void {
    if (queue.state.kind !== 'idle') return;
    queue.state = { kind: 'scheduled' };
    if (groups && !queue.isApart) groups.add(queue);
    else ready.add(queue.companyId, queue);
    // What the same batch of events adds is applied together.
    if (applyTogether) queueMicrotask(startWorkers);
    else startWorkers();
  }

  function startWorkers(): void {
    groups?.start();
    while (workers < WORKERS && !stopped) {
      const queue = ready.take();
      if (!queue) return;
      if (queue.state.kind !== 'scheduled') continue;
      workers += 1;
      runExclusively(
        queue,
        () => applyChunk(queue),
        () => (workers -= 1),
      );
    }
  }

  /** Processes a queue exclusively, then starts the next one. */
  function runExclusively(queue: AggregateQueue, work: () => Promise<void>, release: () => void): void {
    const running = backgroundWork
      .during(work)
      .catch((error: unknown) => log.error({ err: error, follower, key: queue.key }, 'events not applied; retrying'))
      .finally(() => {
        release();
        if (!isDropped(queue)) queue.state = { kind: 'idle' };
        const [first] = queue.items;
        if (first && compareTo(queue.position, first.event.aggregateSequence) === 'early') waitForMissing(queue);
        else if (first) schedule(queue);
        catchUp.schedule();
        startWorkers();
      });
    queue.state = { kind: 'running', work: running };
  }

  async function applyChunk(queue: AggregateQueue): Promise<void> {
    const applied: QueuedEvent[] = [];
    let mayBeTogether = tryTogether !== undefined && togetherOf === 'aggregate';
    while (applied.length < CHUNK && !isDropped(queue) && !stopped) {
      const several = mayBeTogether ? applicable(queue, CHUNK, hasGaps(queue)) : [];
      if (several.length > 1) {
        mayBeTogether = await tryTogether!(several.map(({ event }) => event));
        if (mayBeTogether) applied.push(...setAllApplied(queue, several));
        continue;
      }
      const [item] = queue.items;
      if (!item) break;
      const step = nextStep(queue, item.event.aggregateSequence, waitMsOf(queue), performance.now());
      if (step === 'wait') {
        queue.gapSince ??= performance.now();
        break;
      }
      if (step === 'accept_gap') acceptGap(queue, item.event);
      if (step !== 'skip' && !(await tryToApply(queue, item.event))) {
        moveToCatchUp(queue);
        break;
      }
      // Everything that waited may have been discarded meanwhile.
      const index = queue.items.indexOf(item);
      if (index >= 0) queue.items.splice(index, 1);
      applied.push(item);
    }
    queue.isApart = false;
    await saveApplied(queue, applied);
  }

  async function saveApplied(queue: AggregateQueue, applied: readonly QueuedEvent[]): Promise<void> {
    if (applied.length === 0) return;
    applied.forEach((item) => onApplied?.(item));
    const saved = save(queue).then((isSaved) => applied.forEach((item) => (isSaved ? item.done() : item.discard())));
    if (!recognises) return saved;
    const tracked: Promise<void> = backgroundWork.during(() => saved).finally(() => saving.delete(tracked));
    saving.add(tracked);
  }

  function waitMsOf(queue: AggregateQueue): number {
    if (hasGaps(queue)) return 0;
    return queue.known ? options.gapWaitMs : options.gapWaitMs * UNKNOWN_WAIT_SHARE;
  }

  /** Only for idle queues: a queue in progress is not scheduled. */
  function waitForMissing(queue: AggregateQueue): void {
    queue.gapSince ??= performance.now();
    const leftMs = Math.max(0, queue.gapSince + waitMsOf(queue) - performance.now());
    setTimeout(() => schedule(queue), leftMs).unref();
  }

  function acceptGap(queue: AggregateQueue, event: Event): void {
    if (!queue.known || hasGaps(queue)) return;
    const missing = missingSequence(queue);
    log.warn({ follower, event: event.id, missing }, 'an event is missing; going on without it');
  }

  function moveToCatchUp(queue: AggregateQueue): void {
    const items = queue.items.splice(0);
    // Discarded while the handler ran, the failing one too: whoever reads the partition now reads them again.
    if (items.length === 0) return;
    catchUp.setBehind(queue, Math.min(...items.map(({ streamSequence }) => streamSequence)), retryAt(queue));
    items.forEach((item) => leaveToCatchUp(queue, item));
  }

  /** The event may be dropped once its position for reading it again is stored. */
  function leaveToCatchUp(queue: AggregateQueue, item: QueuedEvent): void {
    const current = queue.behind!;
    const created = streamCreated(queue.service);
    if (current.stream !== created) queue.behind = { ...current, stream: created, from: 1 };
    else if (item.streamSequence < current.from) queue.behind = { ...current, from: item.streamSequence };
    queue.lastDeferredSequence = Math.max(queue.lastDeferredSequence, item.streamSequence);
    item.discard();
    if (queue.savedBehind === queue.behind) return item.done();
    save(queue).then(
      (saved) => saved && item.done(),
      (error: unknown) => log.error({ err: error, follower }, 'position not saved'),
    );
  }

  /** False when it was not saved because the work ended before. */
  async function save(queue: AggregateQueue): Promise<boolean> {
    for (;;) {
      const { key, position, failing, behind: savedBehind } = queue;
      const isUnread = queue.unreadSince !== undefined && position.ahead.length === 0;
      try {
        await positions.save({ key, position, failing, behind: savedBehind, isUnread });
        queue.savedBehind = savedBehind;
        return true;
      } catch (error) {
        log.warn({ err: error, follower }, 'positions not saved; retrying');
        if (isDropped(queue) || stopped) return false;
        await sleep(RETRY_SAVE_MS);
      }
    }
  }

  return {
    accept(event) {
      intake.accept(memory.hold(event));
    },
    waitForCapacity: memory.waitForCapacity,
    async drop(keep) {
      owned = new Set(keep);
      const dropped = [...queues.values()].filter(({ partition }) => !owned.has(partition));
      const ending = dropped.map((queue) => {
        const state = droppedFrom(queue.state);
        queue.state = state;
        queue.items.splice(0).forEach((item) => item.discard());
        catchUp.remove(queue);
        queues.delete(queue.key);
        return state.work;
      });
      await Promise.all(ending.filter((work) => work !== undefined));
      await Promise.all(saving);
    },
    async add(partitions) {
      owned = new Set([...owned, ...partitions]);
      for (const partition of partitions) {
        const listed = await positions.behind(partition);
        if (listed.length < BEHIND_MAX) partlyListed.delete(partition);
        else partlyListed.add(partition);
        for (const { key, progress } of listed) {
          if (queues.has(key) || !progress.behind) continue;
          const queue = newQueue(key, { companyId: '', service: progress.behind.service, partition }, progress);
          queues.set(key, queue);
          catchUp.add(queue);
        }
      }
    },
    discardWaiting() {
      intake.discardWaiting();
      for (const queue of queues.values()) {
        queue.items.splice(0).forEach((item) => item.discard());
        queue.gapSince = undefined;
      }
    },
    waiting: memory.count,
    settled: memory.settled,
    behind: catchUp.size,
    stop() {
      stopped = true;
      intake.stop();
      catchUp.stop();
      memory.stop();
    },
  };
}
