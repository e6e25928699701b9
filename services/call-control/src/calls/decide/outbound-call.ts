import type { Call } from '../model/call.ts';
import type { CallDraft } from './call-draft.ts';
import { finishCall, hangUpCall } from './end-call.ts';
import type { Participant } from '../model/participant.ts';
import { nextCarrier } from './outside-leg.ts';
import { connectEmployee, ringEmployee } from './ring-employee.ts';
import { connectWhenParked, startConversation } from './conversation.ts';

/** The ring time of the phones of the employee who places the call. */
const EMPLOYEE_RING_SECS = 30;
/** The longest ring time of the remote party's phone. */
const DIAL_SECS = 120;
/** Shorter than a mailbox takes to answer: the employee waits meanwhile. */
const CALL_BACK_SECS = 45;
type DialingPhase = Extract<Call['phase'], { kind: 'dialing' }>;
type CallingPhase = Extract<Call['phase'], { kind: 'calling_employee' }>;

/** Rings the employee who is to call. */
export function callEmployee(draft: CallDraft, employee: Participant, carriers: number): void {
  const legIds = ringEmployee(draft, employee.id, { forwardTo: undefined, ringSecs: EMPLOYEE_RING_SECS });
  draft.enter({ kind: 'calling_employee', offer: { employee, legIds }, carriers });
  draft.note({ type: 'offer', what: 'offer_made', employeeId: employee.id });
  draft.due('employee_ring', EMPLOYEE_RING_SECS * 1000);
}

/** The first phone of the employee to answer wins, and the other side is dialled. */
export function employeeAnswered(draft: CallDraft, { offer, carriers }: CallingPhase, legId: string): void {
  const { employee, legIds } = offer;
  if (!legIds.includes(legId)) return draft.hangUp(legId, 'LOSE_RACE');
  connectEmployee(draft, employee.id, legIds, legId);
  draft.cancel('employee_ring');
  draft.note({ type: 'offer', what: 'offer_answered', employeeId: employee.id, legId });
  draft.enter({ kind: 'dialing', employee, legId, carrier: 0, carriers });
  dialCarrier(draft, 0, draft.call.customerLegId);
  // Until here nobody has called: an employee who does not answer places no call.
  if (draft.call.emergency) draft.emit('call-control.emergency_call.placed');
}

/** A phone of the employee stopped ringing without an answer: the call ends with the last one. */
export function employeeLegEnded(draft: CallDraft, phase: CallingPhase, legId: string): void {
  const legIds = phase.offer.legIds.filter((id) => id !== legId);
  draft.enter({ ...phase, offer: { ...phase.offer, legIds } });
  if (legIds.length === 0) finishCall(draft);
}

/** Nobody is to answer any more. */
export function stopCallingEmployee(draft: CallDraft, { offer }: CallingPhase): void {
  for (const legId of offer.legIds) draft.hangUp(legId, 'ORIGINATOR_CANCEL');
  finishCall(draft);
}

/** The employee whom we called hears the ringing tone, once the phone waits for it. */
export function ringBackWhenParked(draft: CallDraft, legId: string): void {
  const { phase } = draft.call;
  if (phase.kind !== 'dialing' || phase.legId !== legId) return;
  draft.control({ do: 'play', legId, playId: draft.newId(), audio: { kind: 'ringtone' } });
}

/** The employee hears the ringing tone while the other side is called. */
export function dialOut(draft: CallDraft): void {
  const { phase } = draft.call;
  if (phase.kind !== 'dialing') return;
  draft.addCommand({ kind: 'start_conversation', employeeId: phase.employee.id });
  draft.control(
    { do: 'take', legId: phase.legId },
    { do: 'send_early_media', legId: phase.legId },
    { do: 'play', legId: phase.legId, playId: draft.newId(), audio: { kind: 'ringtone' } },
  );
  dialCarrier(draft, phase.carrier);
}

/** Calls the remote party: of an inbound call, the caller who is called back. */
export function dialCarrier(draft: CallDraft, carrier: number, legId = draft.newId()): void {
  const { direction, from, callback } = draft.call;
  const back = direction === 'inbound' ? ({ to: callback?.number ?? from, asks: true } as const) : {};
  draft.addLeg({ id: legId, employeeId: null });
  draft.set({ customerLegId: legId });
  const timeoutSecs = direction === 'inbound' ? CALL_BACK_SECS : DIAL_SECS;
  draft.addCommand({ kind: 'dial', legId, carrier, timeoutSecs, ...back });
}

export function remotePartyAnswered(draft: CallDraft, { employee, legId }: DialingPhase): void {
  // A phone that we called has answered by itself.
  if (draft.leg(legId)?.status !== 'answered') draft.control({ do: 'answer', legId });
  startConversation(draft, employee, legId);
  connectWhenParked(draft);
}

/** The other side could not be reached by this carrier: the next one is tried. False when there is nothing to try. */
export function triedNextCarrier(draft: CallDraft, phase: DialingPhase, cause: string): boolean {
  const carrier = nextCarrier(phase, cause);
  if (carrier === undefined) return false;
  draft.enter({ ...phase, carrier });
  dialCarrier(draft, carrier);
  return true;
}

/** The other side did not answer, or could not be reached. */
export function remotePartyFailed(draft: CallDraft, phase: DialingPhase, cause: string): void {
  draft.hangUp(phase.legId, employeeCause(cause));
  finishCall(draft);
}

function employeeCause(cause: string) {
  if (cause === 'USER_BUSY' || cause === 'NO_ANSWER' || cause === 'CALL_REJECTED') return cause;
  return cause === 'UNALLOCATED_NUMBER' ? cause : 'NORMAL_CLEARING';
}

/** The employee cancelled before the other side answered. */
export function employeeHungUp(draft: CallDraft): void {
  if (draft.leg(draft.call.customerLegId)) hangUpCall(draft, 'ORIGINATOR_CANCEL');
  else finishCall(draft);
}
