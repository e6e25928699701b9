import { targetAnswered, targetLegEnded } from './decide-transfer.ts';
import { openTransfer } from '../model/transfer.ts';
import { assistedLegAnswered, assistedLegEnded, assistedLegsBridged, assistedPartyParked } from './assisted-call.ts';
import { forwardFailed, forwardAccepted } from './run-flow.ts';
import { callBack, callbackAnswered, callbackFailed, keepPromisedCallback } from './callback.ts';
import { awaitsCallback, type Call, type Leg } from '../model/call.ts';
import type { CallDraft } from './call-draft.ts';
import type { CallInput } from '../model/call-input.ts';
import { controllerAnswered, controllerLegEnded, playToTransferredParty } from './blind-transfer.ts';
import { connectOutsideWhenParked } from './outside-party.ts';
import { heldLegParked, heldPartyConnected } from './hold.ts';
import { finishCall, hangUpCall } from './end-call.ts';
import { askForKey, awaitOutsideLegs, outsideAnswered, redialOutside } from './outside-leg.ts';
import {
  employeeAnswered,
  employeeHungUp,
  employeeLegEnded,
  remotePartyAnswered,
  remotePartyFailed,
  ringBackWhenParked,
  triedNextCarrier,
} from './outbound-call.ts';
import { NOT_RUNG } from './command-settled.ts';
import { connectWhenParked, startConversation, startConversationSpan } from './conversation.ts';
import { supervisorAnswered, supervisorLegEnded, watchWhenParked } from './supervision.ts';
import { playToWaitingParty, waitForPhone } from './missing-phone.ts';
import { voicemailStopped } from './record-voicemail.ts';
import { offerAnswered, offerLegEnded } from './queue.ts';

/** The switch's cause for a phone whose audio is missing. */
const MEDIA_TIMEOUT = 'MEDIA_TIMEOUT';

export function legAnswered(draft: CallDraft, legId: string): void {
  const { phase, customerLegId } = draft.call;
  const leg = draft.leg(legId);
  if (!leg || leg.status === 'answered') return;
  draft.changeLeg(legId, { status: 'answered' });
  // It was commanded to end; the answer was faster.
  if (leg.hangingUp) return;
  if (legId === customerLegId) {
    if (phase.kind !== 'dialing') return;
    callbackAnswered(draft);
    remotePartyAnswered(draft, phase);
    return;
  }
  if (leg.outside && !outsideAnswered(draft, legId, leg.outside)) return;
  connectAnswered(draft, legId);
}

/** A phone of an employee, or one outside the company that takes the call, is to be connected. */
export function connectAnswered(draft: CallDraft, legId: string): void {
  const { phase, transfers, supervision } = draft.call;
  if (phase.kind === 'assisted') return assistedLegAnswered(draft, phase, legId);
  if (supervision?.legIds.includes(legId)) return supervisorAnswered(draft, supervision, legId);
  const transfer = openTransfer(transfers);
  if (transfer?.targetLegIds.includes(legId)) return targetAnswered(draft, transfer, legId);
  if (phase.kind === 'waiting') return waitingCallAnswered(draft, phase, legId);
  if (phase.kind === 'forwarding' && phase.legId === legId) return forwardAccepted(draft, phase);
  if (phase.kind === 'calling_employee') return employeeAnswered(draft, phase, legId);
  if (phase.kind === 'returning') return controllerAnswered(draft, phase, legId);
  if ('legId' in phase && phase.legId === legId) return;
  draft.note({ type: 'dropped', what: 'answer', legId });
  draft.hangUp(legId, 'LOSE_RACE');
}

/** A caller who waits for a callback is dialled once the employee has answered; anybody else is connected. */
function waitingCallAnswered(
  draft: CallDraft,
  phase: Extract<Call['phase'], { kind: 'waiting' }>,
  legId: string,
): void {
  const employee = offerAnswered(draft, phase, legId);
  if (!employee) return;
  if (awaitsCallback(draft.call)) return callBack(draft, employee, legId);
  if (draft.call.number.callbackPrompt || draft.call.assistant) draft.addCommand({ kind: 'replace_callbacks' });
  startConversation(draft, employee, legId);
}

export function legParked(draft: CallDraft, legId: string): void {
  const leg = draft.leg(legId);
  if (!leg || leg.parked) return;
  draft.changeLeg(legId, { parked: true, memberId: null });
  connectWhenParked(draft);
  heldLegParked(draft);
  ringBackWhenParked(draft, legId);
  askForKey(draft, legId);
  connectOutsideWhenParked(draft);
  watchWhenParked(draft);
  const { phase } = draft.call;
  if (phase.kind === 'assisted') assistedPartyParked(draft, phase, legId);
  if (legId !== draft.call.customerLegId) return;
  playToWaitingParty(draft);
  playToTransferredParty(draft);
}

export function legBridged(draft: CallDraft, input: Extract<CallInput, { type: 'leg_bridged' }>): void {
  const { phase, customerLegId } = draft.call;
  const { legId, peerId, recordedMs } = input;
  if (phase.kind === 'assisted') return assistedLegsBridged(draft, input);
  if (phase.kind !== 'talking' && phase.kind !== 'outside') return;
  if (![legId, peerId].includes(customerLegId) || ![legId, peerId].includes(phase.legId)) return;
  // A leg that waits although this bridge was ordered before the hold was parked by the hold, which it has reported earlier.
  const isParkedSince = draft.call.hold?.status === 'parking';
  for (const id of [legId, peerId]) draft.changeLeg(id, { memberId: null, ...(!isParkedSince && { parked: false }) });
  draft.cancel('bridge_overdue');
  if (phase.kind === 'talking') startConversationSpan(draft, phase.employee, recordedMs);
  if (!openTransfer(draft.call.transfers)) draft.move('bridged');
  heldPartyConnected(draft);
  watchWhenParked(draft);
}

export function legEnded(draft: CallDraft, legId: string, cause: string): void {
  const { phase, customerLegId, transfers, direction, supervision } = draft.call;
  const leg = draft.leg(legId);
  if (!leg) return;
  draft.removeLeg(legId);
  if (leg.outside) awaitOutsideLegs(draft);
  // A leg that was kept ready for a phone the employee does not have never existed.
  if (cause !== NOT_RUNG) draft.note({ type: 'leg', what: 'leg_ended', legId, detail: cause, ...ofEmployee(leg) });
  if (phase.kind === 'ended') return;
  if (legId === customerLegId) {
    if (phase.kind === 'voicemail') voicemailStopped(draft, phase, null);
    if (phase.kind === 'dialing') return remotePartyEnded(draft, phase, cause);
    // The caller who asked to be called back has hung up.
    if (phase.kind === 'waiting' && awaitsCallback(draft.call)) return;
    if (keepPromisedCallback(draft)) return;
    return finishCall(draft);
  }
  if (phase.kind === 'assisted') return assistedLegEnded(draft, phase, leg, cause);
  // An outbound call whose other side was never reached has no other leg whose end could end it.
  if (phase.kind === 'hanging_up' && direction === 'outbound' && draft.call.legs.length === 0) return finishCall(draft);
  if (supervision?.legIds.includes(legId)) return supervisorLegEnded(draft, supervision, legId);
  const transfer = openTransfer(transfers);
  if (transfer?.targetLegIds.includes(legId)) return targetLegEnded(draft, transfer, leg, cause);
  if (phase.kind === 'forwarding' && phase.legId === legId) {
    const redialled = redialOutside(draft, leg, cause);
    return redialled === undefined ? forwardFailed(draft, cause) : draft.enter({ ...phase, legId: redialled });
  }
  if (phase.kind === 'waiting') return offerLegEnded(draft, phase, leg, cause);
  if (phase.kind === 'calling_employee') return employeeLegEnded(draft, phase, legId);
  if (phase.kind === 'returning') return controllerLegEnded(draft, phase, leg, cause);
  if (!('legId' in phase) || phase.legId !== legId) return;
  if (phase.kind === 'dialing') dialingEmployeeLeft(draft, phase);
  else if (cause === MEDIA_TIMEOUT && phase.kind === 'talking' && !transfer) waitForPhone(draft);
  // The call ends when the employee in conversation hangs up.
  else hangUpCall(draft);
}

export function dialingEmployeeLeft(draft: CallDraft, phase: Extract<Call['phase'], { kind: 'dialing' }>): void {
  if (draft.call.callback) callbackFailed(draft, phase);
  else employeeHungUp(draft);
}

function remotePartyEnded(draft: CallDraft, phase: Extract<Call['phase'], { kind: 'dialing' }>, cause: string): void {
  if (triedNextCarrier(draft, phase, cause)) return;
  if (draft.call.callback) callbackFailed(draft, phase);
  else remotePartyFailed(draft, phase, cause);
}

function ofEmployee({ employeeId }: Leg): { employeeId?: string } {
  return employeeId === null ? {} : { employeeId };
}
