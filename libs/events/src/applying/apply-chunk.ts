import { type AggregateQueue, applicable, nextStep, type QueuedEvent, setApplied } from './aggregate-queue.ts';
import { type AggregateWork, gapWaitMsOf, hasGaps, logGap } from './aggregate-work.ts';
import { retryAt, tryToApply } from './attempts.ts';
import { defer } from './catch-up.ts';

/** Events of an aggregate that are applied before its position is saved. */
const CHUNK = 50;

/** Applies the next events of an aggregate, and saves its position. */
export async function applyChunk(queue: AggregateQueue, work: AggregateWork): Promise<void> {
  const applied: QueuedEvent[] = [];
  let mayBatch = true;
  while (applied.length < CHUNK && !work.isEnding(queue)) {
    const next = mayBatch ? nextBatch(queue, work) : [];
    if (next.length > 0) mayBatch = await tryToApplyBatch(queue, next, work);
    const done = next.length > 0 && mayBatch ? next : await applyFirst(queue, work);
    if (done.length === 0) break;
    // Everything that waited may have been discarded meanwhile.
    queue.items = queue.items.filter((item) => !done.includes(item));
    applied.push(...done);
  }
  await work.saveApplied(queue, applied);
}

/** The events that may be applied by one call; none if each is applied alone. */
function nextBatch(queue: AggregateQueue, work: AggregateWork): QueuedEvent[] {
  if (work.batchPer === 'event') return [];
  const next = applicable(queue, CHUNK, hasGaps(queue, work));
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
