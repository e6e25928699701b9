import type { CallDraft } from './call-draft.ts';
import { ringOutside } from './outside-leg.ts';

/** Phones per employee that ring at once. */
const PHONES_MAX = 4;
/** FreeSWITCH's own timer is the second one: seconds are coarse there. */
const RING_LEEWAY_SECS = 5;

/** One leg for each phone the employee may have; unused ones are removed once the switch was queried. */
export function orderLegs(draft: CallDraft, employeeId: string): readonly string[] {
  return Array.from({ length: PHONES_MAX }, () => {
    const id = draft.newId();
    draft.addLeg({ id, employeeId });
    return id;
  });
}

/**
 * Rings the phones of an employee, or the one outside the company that rings instead of them, which accepts with a key;
 * their legs. `room`: where a phone of the company goes that answers; null waits for a bridge.
 */
export function ringEmployee(
  draft: CallDraft,
  employeeId: string,
  { forwardTo, ringSecs, room = null }: { forwardTo: string | undefined; ringSecs: number; room?: string | null },
): readonly string[] {
  // A mailbox would take the call without the key.
  if (forwardTo !== undefined) return [ringOutside(draft, { to: forwardTo, employeeId, ringSecs, needsKey: true })];
  const legIds = orderLegs(draft, employeeId);
  draft.addCommand({ kind: 'ring', employeeId, legIds, timeoutSecs: ringSecs + RING_LEEWAY_SECS, room });
  return legIds;
}
