import type { CallDraft } from './call-draft.ts';
import { orderLegs } from './order-legs.ts';
import { ringOutside } from './outside-leg.ts';

/** FreeSWITCH's own timer is the second one: seconds are coarse there. */
const RING_LEEWAY_SECS = 5;

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
