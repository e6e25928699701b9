import type { Call } from '../model/call.ts';
import type { CallDraft } from './call-draft.ts';
import { finishCall, hangUpCall } from './end-call.ts';
import { connectWhenParked, startConversation } from './conversation.ts';

/** How long the other side's phone rings at most. */
const DIAL_SECS = 120;
/** The network could not be reached through this carrier; another one may. Anything else is the other side's answer. */
const CARRIER_FAILURES = new Set([
  'NORMAL_TEMPORARY_FAILURE',
  'NETWORK_OUT_OF_ORDER',
  'NO_ROUTE_DESTINATION',
  'GATEWAY_DOWN',
  'SERVICE_UNAVAILABLE',
  'RECOVERY_ON_TIMER_EXPIRE',
  'SWITCH_CONGESTION',
  'NORMAL_CIRCUIT_CONGESTION',
  'DESTINATION_OUT_OF_ORDER',
]);

type DialingPhase = Extract<Call['phase'], { kind: 'dialing' }>;

/** The employee hears the ringing tone while the other side is called. */
export function dialOut(draft: CallDraft): void {
  const { phase } = draft.call;
  if (phase.kind !== 'dialing') return;
  draft.order({ kind: 'start_conversation', employeeId: phase.employee.id });
  draft.control(
    { do: 'take', legId: phase.legId },
    { do: 'send_early_media', legId: phase.legId },
    { do: 'play', legId: phase.legId, playId: draft.newId(), audio: { kind: 'ringtone' } },
  );
  dialCarrier(draft, phase.carrier);
}

function dialCarrier(draft: CallDraft, carrier: number): void {
  const legId = draft.newId();
  draft.addLeg({ id: legId, employeeId: null });
  draft.set({ customerLegId: legId });
  draft.order({ kind: 'dial', legId, carrier, timeoutSecs: DIAL_SECS });
}

export function remotePartyAnswered(draft: CallDraft, { employee, legId }: DialingPhase): void {
  draft.control({ do: 'answer', legId });
  startConversation(draft, employee, legId);
  connectWhenParked(draft);
}

/** The other side did not answer, or could not be reached by this carrier. */
export function remotePartyFailed(draft: CallDraft, phase: DialingPhase, cause: string): void {
  if (CARRIER_FAILURES.has(cause) && phase.carrier + 1 < phase.carriers) {
    draft.enter({ ...phase, carrier: phase.carrier + 1 });
    return dialCarrier(draft, phase.carrier + 1);
  }
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
