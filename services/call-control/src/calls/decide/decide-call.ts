import { type Refusal, refused, decided } from '@parley/errors';
import {
  abandonTransfer,
  cancelTransfer,
  completeTransfer,
  memberJoined,
  startTransfer,
  targetAnswered,
  targetLegEnded,
} from './decide-transfer.ts';
import { openTransfer } from '../model/transfer.ts';
import {
  assistedKey,
  assistedLegAnswered,
  assistedLegEnded,
  assistedLegsBridged,
  assistedPartyParked,
  promiseCallback,
  runFallbackNow,
  sessionReported,
} from './assisted-call.ts';
import { connectWantedLegs } from './assisted-legs.ts';
import { finishWhisper, startAssistantTransfer } from './assistant-transfer.ts';
import { assistantLeft } from './session-updates.ts';
import { endTakeover, startTakeover } from './takeover.ts';
import { forwardFailed, menuKey, forwardAccepted, runFallbackWhenParked } from './run-flow.ts';
import { placeFound } from './announce-place.ts';
import {
  callBack,
  callbackAnswered,
  callbackFailed,
  endAssistedCall,
  giveUpCallback,
  keepCallback,
  keepPromisedCallback,
  askForCallback,
} from './callback.ts';
import { awaitsCallback, type Call, type Leg, type CallEvent } from '../model/call.ts';
import { type CallDecision, CallDraft, type InputDraft } from './call-draft.ts';
import { type CallInput, causeOf } from '../model/call-input.ts';
import { controllerAnswered, controllerLegEnded, playToTransferredParty } from './blind-transfer.ts';
import { connectOutsideWhenParked } from './outside-party.ts';
import { employeeRemoved, withdraw } from './employee-removed.ts';
import { heldLegParked, heldPartyConnected, holdCall } from './hold.ts';
import { pauseRecording } from './pause-recording.ts';
import { finishCall, hangUpCall, recordingStopped } from './end-call.ts';
import { askForKey, awaitOutsideLegs, outsideAnswered, outsideKey, redialOutside } from './outside-leg.ts';
import {
  employeeAnswered,
  employeeHungUp,
  employeeLegEnded,
  remotePartyAnswered,
  remotePartyFailed,
  ringBackWhenParked,
  triedNextCarrier,
} from './outbound-call.ts';
import { reconcile } from './reconcile.ts';
import { commandSettled, NOT_RUNG } from './command-settled.ts';
import { connectWhenParked, startConversation, startConversationSpan } from './conversation.ts';
import {
  endSupervision,
  superviseCall,
  supervisorAnswered,
  supervisorLegEnded,
  watchWhenParked,
} from './supervision.ts';
import { phoneReturned, playToWaitingParty, waitForPhone } from './missing-phone.ts';
import { sessionStored, transcribed } from './transcribed.ts';
import { recordingStored, recordingRefused, voicemailDeleted } from './voicemail-audio.ts';
import { stopVoicemail, voicemailStopped } from './record-voicemail.ts';
import { offerAnswered, offerLegEnded, offerTo } from './queue.ts';
import { playbackFinished } from './playback-finished.ts';
import { timerFired } from './timer-fired.ts';
import { type CallCommand, type CallTimer, withCommand } from '../model/call-command.ts';

/** The switch's cause for a phone whose audio is missing. */
const MEDIA_TIMEOUT = 'MEDIA_TIMEOUT';
/** A waiting caller presses this key to request a callback. */
const CALLBACK_KEY = '1';

/** Decides an input of a call. Only commands of employees are refused; anything else that does not fit is dropped. */
export function decideCall(call: Call, input: CallInput, now: Date): CallDecision {
  const draft = new DecidingDraft(call, causeOf(input), now);
  const why = draft.apply(input);
  return why ? refused(why) : draft.decide();
}

class DecidingDraft extends CallDraft implements InputDraft {
  apply(input: CallInput): Refusal | undefined {
    const why = this.#apply(input);
    if (!why && this.call.phase.kind === 'assisted') {
      runFallbackWhenParked(this);
      connectWantedLegs(this);
    }
    return why;
  }

  #apply(input: CallInput): Refusal | undefined {
    switch (input.type) {
      case 'start_transfer':
        return startTransfer(this, input);
      case 'complete_transfer':
        return completeTransfer(this, input);
      case 'cancel_transfer':
        return cancelTransfer(this, input);
      case 'hold':
        return holdCall(this, input);
      case 'pause_recording':
        return pauseRecording(this, input);
      case 'supervise':
        return superviseCall(this, input);
      case 'start_assistant_transfer':
        return startAssistantTransfer(this, input);
      case 'promise_callback':
        return promiseCallback(this, input);
      case 'run_fallback':
        return runFallbackNow(this, input.reason);
      case 'end_assisted_call':
        return endAssistedCall(this);
      case 'start_takeover':
        return startTakeover(this, input);
      default:
        applyFact(this, input);
        return undefined;
    }
  }
}

/** The commands of employees and assistants. */
const REFUSABLE = [
  'start_transfer',
  'complete_transfer',
  'cancel_transfer',
  'hold',
  'pause_recording',
  'supervise',
  'start_assistant_transfer',
  'promise_callback',
  'run_fallback',
  'end_assisted_call',
  'start_takeover',
] as const;

function applyFact(draft: InputDraft, input: Exclude<CallInput, { type: (typeof REFUSABLE)[number] }>): void {
  const { phase } = draft.call;
  switch (input.type) {
    case 'leg_answered':
      return legAnswered(draft, input.legId);
    case 'leg_parked':
      return legParked(draft, input.legId);
    case 'leg_bridged':
      return legBridged(draft, input);
    case 'leg_ended':
      return legEnded(draft, input.legId, input.cause);
    case 'originate_failed':
      // A leg that was answered exists, whatever became of the job.
      if (draft.leg(input.legId)?.status !== 'answered') legEnded(draft, input.legId, input.cause);
      return;
    case 'digit':
      return digit(draft, input.legId, input.digit);
    case 'playback_finished':
      return playbackFinished(draft, input.playId, input.played);
    case 'recording_stopped':
      recordingStopped(draft, input.recording, input.durationMs);
      if (phase.kind === 'voicemail' && phase.recording === input.recording)
        voicemailStopped(draft, phase, input.durationMs);
      return;
    case 'conference_joined':
      return draft.leg(input.legId) && memberJoined(draft, input);
    case 'hold_for_other_call':
      return holdForOtherCall(draft, input.actorId);
    case 'offer':
      return offerTo(draft, input.employee, input.forwardTo);
    case 'callback_replaced':
      return giveUpCallback(draft);
    case 'place_found':
      return placeFound(draft, input.place);
    case 'withdraw_offer':
      return withdraw(draft, input.employeeId);
    case 'employee_removed':
      return employeeRemoved(draft, input.employeeId);
    case 'company_suspended':
      // An emergency call goes on; a caller who waits to be called back has no leg whose end could end the call.
      if (draft.call.emergency) return;
      return awaitsCallback(draft.call) ? giveUpCallback(draft) : hangUpCall(draft, 'CALL_REJECTED');
    case 'phone_lost':
      for (const legId of input.legIds) if (draft.leg(legId)?.status !== 'answered') draft.hangUp(legId);
      return;
    case 'phone_returned':
      return phoneReturned(draft, input);
    case 'recording_stored':
      return recordingStored(draft, input);
    case 'recording_refused':
      return recordingRefused(draft, input.recording, input.status);
    case 'voicemail_deleted':
      return voicemailDeleted(draft, input.recording);
    case 'transcribed':
      return transcribed(draft, input.recording);
    case 'session_stored':
      return sessionStored(draft, input.isKept);
    case 'end_supervision':
      return endSupervision(draft, input.actorId);
    case 'abandon_transfer':
      return abandonTransfer(draft, input);
    case 'assistant_transfer_unavailable':
      return draft.note({ type: 'assistant', what: 'transfer_unavailable', detail: input.targetName });
    case 'finish_whisper':
      return finishWhisper(draft, input.actionId);
    case 'session_reported':
      return sessionReported(draft, input);
    case 'cancel_takeover':
      return endTakeover(draft, input.actorId);
    case 'timer':
      return timerFired(draft, input.name);
    case 'settled':
      return commandSettled(draft, input.command, input.result);
    case 'reconciled':
      return reconcile(draft, input);
    case 'switch_restarted':
    case 'switch_lost':
      if (phase.kind === 'assisted') sessionLost(draft);
      if (keepCallback(draft, input.next)) return;
      draft.set({ legs: [] });
      // The file on the switch outlives its process.
      if (phase.kind === 'voicemail') voicemailStopped(draft, phase, null);
      return finishCall(draft);
  }
}

/** The switch has lost the call. Somebody who was told to be called back is called back nevertheless. */
function sessionLost(draft: CallDraft): void {
  assistantLeft(draft, 'failed');
  draft.set({ legs: [] });
  keepPromisedCallback(draft);
}

function legAnswered(draft: CallDraft, legId: string): void {
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
function connectAnswered(draft: CallDraft, legId: string): void {
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

function legParked(draft: CallDraft, legId: string): void {
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

function legBridged(draft: CallDraft, input: Extract<CallInput, { type: 'leg_bridged' }>): void {
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

function legEnded(draft: CallDraft, legId: string, cause: string): void {
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

/**
 * The employee has answered another call: a conversation is held, also one that is just beginning. Whoever is still being
 * called would find nobody, so the attempt ends; an emergency call goes on.
 */
function holdForOtherCall(draft: CallDraft, actorId: string): void {
  const { phase, emergency, hold } = draft.call;
  if (!('employee' in phase) || phase.employee.id !== actorId) return;
  if (phase.kind === 'talking') holdCall(draft, { type: 'hold', actorId, on: true });
  else if (phase.kind === 'dialing' && !emergency) {
    draft.hangUp(phase.legId);
    dialingEmployeeLeft(draft, phase);
  } else if ((phase.kind === 'connecting' || phase.kind === 'announcing') && !hold) {
    draft.note({ type: 'hold', what: 'held', employeeId: actorId });
    draft.set({ hold: { isWanted: true, status: 'connecting' } });
    draft.emit('call-control.call.held');
  }
}

function dialingEmployeeLeft(draft: CallDraft, phase: Extract<Call['phase'], { kind: 'dialing' }>): void {
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

function digit(draft: CallDraft, legId: string, key: string): void {
  const { phase, customerLegId } = draft.call;
  const leg = draft.leg(legId);
  if (leg && outsideKey(draft, leg, key)) return connectAnswered(draft, legId);
  if (phase.kind === 'assisted') return assistedKey(draft, phase, legId, key);
  if (legId !== customerLegId) return;
  if (phase.kind === 'menu') menuKey(draft, phase, key);
  else if (phase.kind === 'waiting' && key === CALLBACK_KEY) askForCallback(draft);
  else if (phase.kind === 'voicemail' && key === '#') stopVoicemail(draft);
}

type Timers = Extract<CallDecision, { ok: true }>['timers'];

/** The decision on several inputs at once: each is decided on the result of the previous one. */
export function decideInputs(call: Call, inputs: readonly CallInput[], now: Date): CallDecision {
  const [first] = inputs;
  if (first && inputs.length === 1) return decideCall(call, first, now);
  let state = call;
  const events: CallEvent[] = [];
  let commands: readonly CallCommand[] = [];
  let timers: Timers = {};
  for (const input of inputs) {
    const decision = decideCall(state, input, now);
    // A command of an employee that is refused changes nothing for the others.
    if (!decision.ok) continue;
    state = decision.state;
    events.push(...decision.events);
    commands = decision.commands.reduce(withCommand, commands);
    timers = { ...timers, ...decision.timers };
  }
  return decided<Call, CallEvent, CallCommand, CallTimer>(state, events, { commands, timers });
}
