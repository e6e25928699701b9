import { type Refusal, refusal } from '@parley/errors';
import type { Leg } from '../model/call.ts';
import type { AssistedPhase, CallAssistant, FallbackReason } from '../model/call-assistant.ts';
import type { Reservation } from '../model/call-command.ts';
import type { AssistantFlow } from '../model/call-flow.ts';
import type { CallInput } from '../model/call-input.ts';
import {
  assistedLegParked,
  awaitConnection,
  isWantedConnection,
  parkLeg,
  playToWaitingCaller,
  separateLegs,
} from './assisted-legs.ts';
import {
  transferAnswered,
  transferLegEnded,
  transferRingOver,
  whisperBegun,
  whisperKey,
  withdrawFromTransfer,
} from './assistant-transfer.ts';
import type { CallDraft } from './call-draft.ts';
import { startRecording } from './conversation-recording.ts';
import { handedOver, handOver } from './hand-over.ts';
import { continueSession, endRinging, fallBack, reserveAssistant, returnToAssistant } from './leave-assistant.ts';
import { playPrompt } from './play-audio.ts';
import { connectEmployee } from './ring-employee.ts';
import { changeAssistant, tellSession } from './session-updates.ts';
import { endTakeover, takeoverLegEnded } from './takeover.ts';

/** No session lasts longer, whatever the assistant does. */
const LENGTH_MAX_MS = 31 * 60_000;
/** Who is being connected when a session has lasted too long is not disturbed. */
const LENGTH_AGAIN_MS = 60_000;
/** The caller goes on with the fallback. */
const FALLBACK_KEY = '0';
/** The switch's cause for a phone whose audio is missing. */
const MEDIA_TIMEOUT = 'MEDIA_TIMEOUT';

/** Has an assistant answer, if a session is admitted: nothing is heard of it before. */
export function answerWithAssistant(draft: CallDraft, flow: AssistantFlow): void {
  const { customerAnswered, customerLegId: legId } = draft.call;
  const assistant: CallAssistant = {
    id: flow.assistantId,
    name: flow.name,
    engine: 'embedded',
    sessionId: null,
    since: null,
    connectedAttempt: 0,
    outcome: null,
    fallbackReason: null,
    report: null,
    updates: [],
    updatesMade: 0,
  };
  draft.set({ assistant, prompt: null });
  if (customerAnswered) draft.control({ do: 'stop_audio', legId });
  draft.note({ type: 'assistant', what: 'assistant_requested', detail: flow.name });
  draft.enter({
    kind: 'assisted',
    flow,
    attempt: 1,
    assistantLegId: null,
    playId: null,
    link: 'none',
    stage: { kind: 'talking' },
  });
  reserveAssistant(draft, 1);
  awaitConnection(draft);
}

/** A session was admitted, or not. */
export function assistantReserved(
  draft: CallDraft,
  attempt: number,
  reserved: Reservation | { readonly refused: FallbackReason },
): void {
  const { phase, assistant } = draft.call;
  if (!assistant) return;
  const isRefused = 'refused' in reserved;
  if (!isRefused && assistant.sessionId === null) {
    const { sessionId, assistantName: name, engine } = reserved;
    changeAssistant(draft, { sessionId, name, engine });
    // The call went on without it: the session is told so.
    if (assistant.updates.length > 0) draft.addCommand({ kind: 'update_assistant' });
  }
  if (phase.kind !== 'assisted' || phase.attempt !== attempt || phase.assistantLegId !== null) return;
  if (phase.stage.kind !== 'talking') return;
  if (!isRefused) return callAssistant(draft, phase, reserved);
  draft.note({ type: 'assistant', what: 'session_refused', detail: reserved.refused });
  fallBack(draft, attempt === 1 ? reserved.refused : 'failed');
}

/** The caller hears the announcement of the recording meanwhile. */
function callAssistant(draft: CallDraft, phase: AssistedPhase, { address }: Reservation): void {
  const legId = draft.newId();
  draft.addLeg({ id: legId, employeeId: null });
  draft.addCommand({ kind: 'dial_assistant', legId, address });
  if (phase.attempt > 1) return draft.enter({ ...phase, assistantLegId: legId });
  const { number } = draft.call;
  const announcement = number.recordingEnabled ? number.recordingAnnouncement : undefined;
  if (!announcement) answerCaller(draft);
  draft.enter({ ...phase, assistantLegId: legId, playId: announcement ? playPrompt(draft, announcement) : null });
}

/** The caller has heard the announcement of the recording. Without it nothing is recorded. */
export function assistantAnnounced(draft: CallDraft, phase: AssistedPhase, wasPlayed: boolean): void {
  draft.cancel('prompt_overdue');
  draft.set({ prompt: null });
  if (wasPlayed) startRecording(draft);
  else draft.note({ type: 'recording', what: 'recording_not_announced' });
  answerCaller(draft);
  draft.enter({ ...phase, playId: null });
}

/** Audio that does not exist yet does not answer the call. */
function answerCaller(draft: CallDraft): void {
  if (draft.call.customerAnswered) return;
  draft.control({ do: 'answer', legId: draft.call.customerLegId });
  draft.set({ customerAnswered: true });
}

/** A phone of an employee, or one outside that takes the call, has answered. */
export function assistedLegAnswered(draft: CallDraft, phase: AssistedPhase, legId: string): void {
  const { takeover } = draft.call;
  const { stage } = phase;
  if (takeover?.legIds.includes(legId)) return takeoverAnswered(draft, legId);
  if (legId === phase.assistantLegId) return;
  if (stage.kind === 'transferring') return transferAnswered(draft, { ...phase, stage }, legId);
  draft.note({ type: 'dropped', what: 'answer', legId });
  draft.hangUp(legId, 'LOSE_RACE');
}

/** The first phone to answer wins; a transfer by the assistant ends. */
function takeoverAnswered(draft: CallDraft, legId: string): void {
  const { takeover, phase: before } = draft.call;
  if (!takeover || before.kind !== 'assisted') return;
  const { employee, legIds } = takeover;
  connectEmployee(draft, employee.id, legIds, legId);
  draft.cancel('takeover_ring');
  draft.set({ takeover: null });
  draft.note({ type: 'assistant', what: 'takeover_answered', employeeId: employee.id, legId });
  separateLegs(draft);
  endRinging(draft, 'cancelled');
  const { phase } = draft.call;
  if (phase.kind !== 'assisted') return;
  const actionId = 'actionId' in before.stage ? before.stage.actionId : null;
  if (actionId !== null) draft.enter({ ...phase, endedTransfer: { actionId, result: 'failed' } });
  handOver(draft, { actionId: null, to: employee, legId });
}

/** A leg has reported that it waits for us. */
export function assistedPartyParked(draft: CallDraft, phase: AssistedPhase, legId: string): void {
  assistedLegParked(draft, phase);
  if (legId === draft.call.customerLegId) playToWaitingCaller(draft);
}

/** Two legs were connected. */
export function assistedLegsBridged(draft: CallDraft, bridged: Extract<CallInput, { type: 'leg_bridged' }>): void {
  const { phase: before } = draft.call;
  if (before.kind !== 'assisted' || !isWantedConnection(draft.call, bridged)) return;
  for (const id of [bridged.legId, bridged.peerId]) draft.changeLeg(id, { parked: false });
  draft.cancel('bridge_overdue');
  const phase = { ...before, link: 'bridged' } as const;
  draft.enter(phase);
  const { stage } = phase;
  if (stage.kind === 'talking') assistantConnected(draft, phase);
  if (stage.kind === 'whispering') whisperBegun(draft, { ...phase, stage });
  if (stage.kind === 'handing_over') handedOver(draft, { ...phase, stage }, bridged.recordedMs);
}

/** Caller and assistant are connected, perhaps again. */
function assistantConnected(draft: CallDraft, { endedTransfer, ...phase }: AssistedPhase): void {
  const { assistant } = draft.call;
  if (!assistant) return;
  draft.cancel('assistant_connect');
  draft.note({ type: 'assistant', what: 'assistant_connected' });
  if (!assistant.since) {
    changeAssistant(draft, { since: draft.now });
    draft.due('assistant_length', LENGTH_MAX_MS);
  }
  if (assistant.connectedAttempt < phase.attempt) {
    changeAssistant(draft, { connectedAttempt: phase.attempt });
    tellSession(draft, { kind: 'connected', attempt: phase.attempt });
  }
  if (!endedTransfer) return;
  tellSession(draft, { kind: 'transfer_ended', ...endedTransfer });
  draft.enter(phase);
}

/** A leg that is not the caller's has ended. */
export function assistedLegEnded(draft: CallDraft, phase: AssistedPhase, leg: Leg, cause: string): void {
  const { takeover } = draft.call;
  const { stage } = phase;
  if (takeover?.legIds.includes(leg.id)) return takeoverLegEnded(draft, takeover, leg, cause);
  if (leg.id === phase.assistantLegId) return assistantLost(draft, cause, leg.id);
  if (stage.kind === 'transferring') return transferLegEnded(draft, { ...phase, stage }, leg, cause);
  if ((stage.kind !== 'whispering' && stage.kind !== 'handing_over') || leg.id !== stage.legId) return;
  if (stage.kind === 'handing_over') return returnToAssistant(draft, stage.actionId === null ? undefined : 'failed');
  returnToAssistant(draft, cause === MEDIA_TIMEOUT || leg.hangingUp ? 'failed' : 'declined');
}

/** The assistant's process has ended, or its audio has stopped: another one continues the session, if somebody is to talk with it. */
function assistantLost(draft: CallDraft, detail: string, legId: string): void {
  const { phase: before } = draft.call;
  if (before.kind !== 'assisted') return;
  draft.note({ type: 'assistant', what: 'assistant_lost', legId, detail });
  // A hand-over goes on without the assistant.
  if (before.stage.kind !== 'handing_over') separateLegs(draft);
  const { phase } = draft.call;
  if (phase.kind !== 'assisted') return;
  const { stage } = phase;
  draft.enter({ ...phase, assistantLegId: null });
  // The order to the assistant's leg, which would have moved both, may have found it gone.
  if (stage.kind === 'handing_over' && phase.link === 'none' && !draft.leg(stage.legId)?.parked)
    parkLeg(draft, stage.legId);
  if (stage.kind === 'whispering') return handOver(draft, stage);
  if (stage.kind !== 'talking') return;
  if (before.link !== 'none') awaitConnection(draft);
  playToWaitingCaller(draft);
  continueSession(draft);
}

export function assistedKey(draft: CallDraft, { stage }: AssistedPhase, legId: string, key: string): void {
  if (stage.kind === 'whispering' && stage.legId === legId) whisperKey(draft, key);
  // The assistant hears no key of a caller who is not connected with it.
  if (stage.kind === 'transferring' && key === FALLBACK_KEY && legId === draft.call.customerLegId)
    fallBack(draft, 'key');
}

/** Nobody has answered a transfer in time. */
export function assistedRingOver(draft: CallDraft, phase: AssistedPhase): void {
  const { stage } = phase;
  if (stage.kind === 'transferring') transferRingOver(draft, { ...phase, stage });
}

/** An employee must not be rung any more, or has left the company. */
export function withdrawFromAssisted(draft: CallDraft, employeeId: string, isRemoved = false): void {
  endTakeover(draft, employeeId);
  const { phase } = draft.call;
  if (phase.kind !== 'assisted') return;
  const { stage } = phase;
  if (stage.kind === 'transferring') return withdrawFromTransfer(draft, { ...phase, stage }, employeeId);
  if (isRemoved && 'to' in stage && stage.to?.id === employeeId) draft.hangUp(stage.legId);
}

/** The session wants the caller to go on with the fallback. */
export function runFallbackNow(draft: CallDraft, reason: FallbackReason): Refusal | undefined {
  const why = refuseEnd(draft);
  if (why) return why;
  fallBack(draft, reason);
  return undefined;
}

/** Why the session may not end now: somebody hears who calls, or is being connected. */
export function refuseEnd({ call: { phase } }: CallDraft): Refusal | undefined {
  const isBusy =
    phase.kind === 'assisted' && (phase.stage.kind === 'whispering' || phase.stage.kind === 'handing_over');
  return isBusy ? refusal('transfer_in_progress', 'the caller is being connected with somebody') : undefined;
}

/** A session that nobody ends. */
export function assistantLengthOver(draft: CallDraft): void {
  if (runFallbackNow(draft, 'limit_duration')) draft.due('assistant_length', LENGTH_AGAIN_MS);
}

/** The assistant has told the caller that somebody calls back. */
export function promiseCallback(
  draft: CallDraft,
  { actionId, number, employeeIds }: Extract<CallInput, { type: 'promise_callback' }>,
): Refusal | undefined {
  const { assistant, phase } = draft.call;
  if (phase.kind !== 'assisted' || !assistant || assistant.outcome !== null)
    return refusal('assistant_not_in_call', 'no assistant is in this call');
  if (assistant.promisedCallback?.actionId === actionId) return undefined;
  changeAssistant(draft, { promisedCallback: { actionId, number, employeeIds } });
  draft.note({ type: 'assistant', what: 'callback_promised' });
  return undefined;
}

/** What the session says about itself; older reports change nothing. */
export function sessionReported(
  draft: CallDraft,
  { revision, engine, outcomeIfLeft }: Extract<CallInput, { type: 'session_reported' }>,
): void {
  const { assistant } = draft.call;
  if (!assistant || assistant.outcome !== null || (assistant.report?.revision ?? 0) >= revision) return;
  changeAssistant(draft, { engine, report: { revision, outcomeIfLeft } });
}
