import type { Logger } from '@parley/telemetry';
import { type AggregateQueue, isDropped, keyOf, nextStep } from './aggregate-queue.ts';
import type { Event } from '../event/envelope.ts';
import type { EventPage } from '../reading/event-pages.ts';

export interface CatchUpOptions {
  follower: string;
  log: Logger;
  /** Creation time of the stream of a service. */
  streamCreated: (service: string) => string;
  readEventPages: (of: { service: string; noun: string; partition: number; from: number }) => AsyncIterable<EventPage>;
  /** Resolves with true when the event needs no further attempt. */
  apply: (queue: AggregateQueue, event: Event) => Promise<boolean>;
  /** When an event that could not be applied is tried again. */
  retryAt: (queue: AggregateQueue) => Date;
  acceptGap: (queue: AggregateQueue, event: Event) => void;
  save: (queue: AggregateQueue) => Promise<boolean>;
  /** Processes a queue exclusively; `release` is called at the end. */
  runExclusively: (queue: AggregateQueue, work: () => Promise<void>, release: () => void) => void;
}

/** Reads the events of aggregates that are behind from the stream again, when they are due, and applies them. */
export interface CatchUp {
  /** Notes that the events of an aggregate from a sequence on are not in memory. */
  setBehind(queue: AggregateQueue, from: number, resumeAt: Date): void;
  /** Adds one that is noted in the database. */
  add(queue: AggregateQueue): void;
  remove(queue: AggregateQueue): void;
  /** Something has changed: looks again who is due next. */
  schedule(): void;
  size(): number;
  stop(): void;
}

/** Aggregates that catch up at once, and how long each before another one has its turn. */
const CATCH_UPS = 16;
const SLICE_MS = 1000;
const CHECK_MIN_MS = 20;
const RETRY_MS = 500;

export function openCatchUp(options: CatchUpOptions): CatchUp {
  const { follower, log, streamCreated, apply, retryAt, acceptGap, save, runExclusively } = options;
  const behind = new Set<AggregateQueue>();
  let running = 0;
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Infinity;
  let stopped = false;

  const isIdle = ({ state, items }: AggregateQueue) => state.kind === 'idle' && items.length === 0;

  function setBehind(queue: AggregateQueue, from: number, resumeAt: Date): void {
    const { service, partition } = queue;
    queue.behind = { service, partition, stream: streamCreated(service), from, resumeAt };
    // The next owner of a queue that was dropped in the meantime finds it in the database.
    if (!isDropped(queue)) behind.add(queue);
  }

  function schedule(): void {
    if (stopped || behind.size === 0 || running >= CATCH_UPS) return;
    let next = Infinity;
    for (const queue of behind) if (isIdle(queue)) next = Math.min(next, queue.behind?.resumeAt.getTime() ?? Infinity);
    if (next >= dueAt) return;
    dueAt = next;
    clearTimeout(timer);
    timer = setTimeout(startDue, Math.max(CHECK_MIN_MS, next - Date.now()));
  }

  function startDue(): void {
    dueAt = Infinity;
    const now = new Date();
    for (const queue of behind) {
      if (running >= CATCH_UPS || stopped) return;
      if (!isIdle(queue) || !queue.behind || queue.behind.resumeAt > now) continue;
      // Behind the others for its next turn.
      behind.delete(queue);
      behind.add(queue);
      running += 1;
      runExclusively(
        queue,
        () => readAndApply(queue),
        () => (running -= 1),
      );
    }
    schedule();
  }

  async function readAndApply(queue: AggregateQueue): Promise<void> {
    const { service, partition, key } = queue;
    const until = performance.now() + SLICE_MS;
    const isCurrent = queue.behind?.stream === streamCreated(service);
    const from = isCurrent ? (queue.behind?.from ?? 1) : 1;
    const noun = key.slice(key.lastIndexOf(':') + 1);
    try {
      for await (const page of options.readEventPages({ service, noun, partition, from })) {
        if (isDropped(queue) || stopped) return;
        const ended = await applyPage(queue, page);
        if (ended || performance.now() > until) return;
      }
    } catch (error) {
      log.warn({ err: error, follower, key }, 'cannot read events again; retrying');
      if (queue.behind) queue.behind = { ...queue.behind, resumeAt: new Date(Date.now() + RETRY_MS) };
    }
  }

  /** True when the aggregate is not behind any more, or has to wait. */
  async function applyPage(queue: AggregateQueue, page: EventPage): Promise<boolean> {
    const events = page.events
      .filter(({ event }) => keyOf(event) === queue.key)
      .sort((a, b) => a.event.aggregateSequence - b.event.aggregateSequence);
    for (const [index, { event }] of events.entries()) {
      const step = nextStep(queue, event.aggregateSequence, 0, 0);
      if (step === 'accept_gap') acceptGap(queue, event);
      if (step === 'skip' || (await apply(queue, event))) continue;
      const left = events.slice(index).map(({ streamSequence }) => streamSequence);
      setBehind(queue, Math.min(...left), retryAt(queue));
      await save(queue);
      return true;
    }
    const isCaughtUp = page.isLast && page.upTo >= queue.lastDeferredSequence;
    if (isCaughtUp) {
      queue.behind = undefined;
      behind.delete(queue);
    } else {
      setBehind(queue, page.upTo + 1, new Date());
    }
    await save(queue);
    return isCaughtUp;
  }

  return {
    setBehind,
    add(queue) {
      if (behind.has(queue)) return;
      behind.add(queue);
      schedule();
    },
    remove: (queue) => void behind.delete(queue),
    schedule,
    size: () => behind.size,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
