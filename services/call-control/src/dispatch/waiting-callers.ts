import type { Call } from '../calls/model/call.ts';
import { queuePositions, waitingSince } from '../calls/model/queue-position.ts';
import type { CallRunner } from '../calls/store/call-runner.ts';
import type { Calls } from '../calls/store/call-store.ts';

interface WaitingCallerDeps {
  readonly calls: Pick<Calls, 'queueOf'>;
  readonly runner: CallRunner;
}

/**
 * Tells the waiting calls of a call's business number their places in the queue: only those who would hear it; a call whose place
 * is the same as before is not written. May be repeated.
 */
export async function updateQueuePositions(
  { calls, runner }: WaitingCallerDeps,
  { companyId, number }: Call,
): Promise<void> {
  const places = number.positionPrompts?.length ?? 0;
  const waiting = (await calls.queueOf(companyId)).filter((queued) => queued.number.id === number.id);
  for (const [id, place] of queuePositions(waiting))
    if (place <= places) await runner.apply({ companyId, id }, { type: 'place_found', place });
}

/**
 * Ends what the caller of a call waits for in earlier calls to the business number; since when, at the earliest. A person is called
 * back once, however often the person called and asked for it.
 */
export async function replaceCallbacks(
  { calls, runner }: WaitingCallerDeps,
  { id: newest, companyId, number, remoteNumber, startedAt }: Call,
): Promise<Date | null> {
  const earlier = (await calls.queueOf(companyId)).filter(
    (queued) =>
      queued.id !== newest &&
      queued.number.id === number.id &&
      queued.remoteNumber === remoteNumber &&
      queued.callback?.state === 'waiting' &&
      queued.startedAt <= startedAt,
  );
  for (const { id } of earlier) await runner.apply({ companyId, id }, { type: 'callback_replaced' });
  return earlier.length > 0 ? new Date(Math.min(...earlier.map(waitingSince))) : null;
}
