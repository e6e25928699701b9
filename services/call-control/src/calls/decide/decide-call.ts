import { type Refusal, refused, decided } from '@parley/errors';
import { abandonTransfer, cancelTransfer, completeTransfer, memberJoined, startTransfer } from './decide-transfer.ts';
import { assistedKey, promiseCallback, runFallbackNow, sessionReported } from './assisted-call.ts';
import { connectWantedLegs } from './assisted-legs.ts';
import { finishWhisper, startAssistantTransfer } from './assistant-transfer.ts';
import { assistantLeft } from './session-updates.ts';
import { endTakeover, startTakeover } from './takeover.ts';
import { menuKey, runFallbackWhenParked } from './run-flow.ts';
import { placeFound } from './announce-place.ts';
import {
  endAssistedCall,
  giveUpCallback,
  keepCallback,
  moveCallback,
  keepPromisedCallback,
  askForCallback,
} from './callback.ts';
import { awaitsCallback, type Call, type CallEvent } from '../model/call.ts';
import { type CallDecision, CallDraft, type InputDraft } from './call-draft.ts';
import { type CallInput, causeOf } from '../model/call-input.ts';
import { employeeRemoved, withdraw } from './employee-removed.ts';
import { holdCall } from './hold.ts';
import { pauseRecording } from './pause-recording.ts';
import { finishCall, hangUpCall, recordingStopped } from './end-call.ts';
import { outsideKey } from './outside-leg.ts';
import { reconcile } from './reconcile.ts';
import { commandSettled } from './command-settled.ts';
import { endSupervision, superviseCall } from './supervision.ts';
import { phoneReturned } from './missing-phone.ts';
import { sessionStored, transcribed } from './transcribed.ts';
import { recordingStored, recordingRefused, voicemailDeleted } from './voicemail-audio.ts';
import { stopVoicemail, voicemailStopped } from './record-voicemail.ts';
import { offerTo } from './queue.ts';
import { playbackFinished } from './playback-finished.ts';
import { timerFired } from './timer-fired.ts';
import { type CallCommand, type CallTimer, withCommand } from '../model/call-command.ts';
import { connectAnswered, dialingEmployeeLeft, legAnswered, legBridged, legEnded, legParked } from './leg-facts.ts';

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
    case 'switch_drained':
      return moveCallback(draft, input.next);
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
