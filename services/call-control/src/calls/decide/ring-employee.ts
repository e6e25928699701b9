import type { CallDraft } from './call-draft.ts';
import { RING_LEEWAY_SECS, ringOutside } from './outside-leg.ts';

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

/** Phones per employee that ring at once. */
const PHONES_MAX = 4;

/** The employee's first phone to answer wins. The conversation is known before the offer ends, so that nobody appears available in between. */
export function connectEmployee(draft: CallDraft, employeeId: string, legIds: readonly string[], legId: string): void {
  for (const other of legIds) if (other !== legId) draft.hangUp(other, 'LOSE_RACE');
  draft.addCommand({ kind: 'start_conversation', employeeId });
  draft.addCommand({ kind: 'release_offer', employeeId });
}

/** One leg for each phone the employee may have; unused ones are removed once the switch was queried. */
function orderLegs(draft: CallDraft, employeeId: string): readonly string[] {
  return Array.from({ length: PHONES_MAX }, () => {
    const id = draft.newId();
    draft.addLeg({ id, employeeId });
    return id;
  });
}
