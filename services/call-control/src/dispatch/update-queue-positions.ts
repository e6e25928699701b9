import type { Call } from '../calls/model/call.ts';
import { queuePositions } from '../calls/model/queue-position.ts';
import type { Calls } from '../calls/store/call-store.ts';
import type { CallRunner } from '../calls/store/call-runner.ts';

/** Tells the waiting calls of a call's business number their places in the queue. May be repeated. */
export type UpdateQueuePositions = (call: Call) => Promise<void>;

/** Only those who would hear it; a call whose place is the same as before is not written. */
export function updateQueuePositions({
  calls,
  runner,
}: {
  calls: Pick<Calls, 'queueOf'>;
  runner: CallRunner;
}): UpdateQueuePositions {
  return async ({ companyId, number }) => {
    const places = number.positionPrompts?.length ?? 0;
    const waiting = (await calls.queueOf(companyId)).filter((queued) => queued.number.id === number.id);
    for (const [id, place] of queuePositions(waiting))
      if (place <= places) await runner.apply({ companyId, id }, { type: 'place_found', place });
  };
}
