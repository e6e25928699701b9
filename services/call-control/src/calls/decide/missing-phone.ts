import { isOnHold } from '../model/call.ts';
import { openTransfer } from '../model/transfer.ts';
import type { CallDraft } from './call-draft.ts';
import { connectionLost, connectReturned } from './hold.ts';

/** The remote party waits this long for a phone whose audio has been missing for five seconds already. */
const PHONE_RETURN_MS = 10_000;

/** The phone of the employee in conversation is gone without having hung up. */
export function waitForPhone(draft: CallDraft): void {
  draft.note({ type: 'leg', what: 'phone_missing' });
  draft.due('phone_return', PHONE_RETURN_MS);
  connectionLost(draft);
  playToWaitingParty(draft);
}

/** Music for the remote party without a phone at the other end, once it is parked: that is reported before or after. */
export function playToWaitingParty(draft: CallDraft): void {
  const { phase, customerLegId, transfers } = draft.call;
  if (phase.kind !== 'talking' || draft.leg(phase.legId) || openTransfer(transfers)) return;
  // It hears the wait audio already.
  if (isOnHold(draft.call)) return;
  if (!draft.leg(customerLegId)?.parked) return;
  draft.control({ do: 'play', legId: customerLegId, playId: draft.newId(), audio: { kind: 'music' } });
}

/** The employee's new leg replaces the one before, which may still exist. Any other phone's leg is not taken. */
export function phoneReturned(draft: CallDraft, { legId, employeeId }: { legId: string; employeeId: string }): void {
  const { phase, transfers } = draft.call;
  if (phase.kind !== 'talking' || phase.employee.id !== employeeId) return;
  if (openTransfer(transfers) || draft.leg(legId)) return;
  const before = phase.legId;
  draft.addLeg({ id: legId, employeeId, status: 'dialing', parked: true });
  draft.note({ type: 'leg', what: 'phone_returned', legId, employeeId });
  draft.cancel('phone_return');
  draft.enter({ ...phase, legId });
  draft.control({ do: 'take', legId }, { do: 'answer', legId });
  connectReturned(draft, legId);
  draft.hangUp(before);
}
