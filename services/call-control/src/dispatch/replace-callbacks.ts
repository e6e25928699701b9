import type { Call } from '../calls/model/call.ts';
import { waitingSince } from '../calls/model/queue-position.ts';
import type { Calls } from '../calls/store/call-store.ts';
import type { CallRunner } from '../calls/store/call-runner.ts';

/** Ends what the caller of a call waits for in earlier calls to the business number; since when, at the earliest. */
export type ReplaceCallbacks = (call: Call) => Promise<Date | null>;

/** A person is called back once, however often the person called and asked for it. */
export function replaceCallbacks({
  calls,
  runner,
}: {
  calls: Pick<Calls, 'queueOf'>;
  runner: CallRunner;
}): ReplaceCallbacks {
  return async ({ id: newest, companyId, number, remoteNumber, startedAt }) => {
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
  };
}
