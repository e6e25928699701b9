import type { EventPage } from '../reading/event-pages.ts';
import { type AggregateQueue, keyOf, nextStep, setBehind } from './aggregate-queue.ts';
import { type AggregateWork, logGap, retryAt, tryToApply } from './apply-chunk.ts';

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
