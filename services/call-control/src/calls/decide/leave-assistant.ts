import type { AssistedPhase, FallbackReason, TransferResult } from '../model/call-assistant.ts';
import { openTransfer, type TransferState } from '../model/transfer.ts';
import { awaitConnection, parkLeg, separateLegs, wantedLegs } from './assisted-legs.ts';
import type { CallDraft } from './call-draft.ts';
import { maskRecording, stopRecording } from './conversation-recording.ts';
import { awaitRemainingOutsideLegs } from './outside-leg.ts';
import { assistantLeft } from './session-updates.ts';
import { endTakeover } from './takeover.ts';
import { changeTransfer, releaseTarget } from './transfer-legs.ts';

/** The first one, and two after the leg was lost. */
const ATTEMPTS_MAX = 3;

/** Has a place kept for the audio of the session. */
export function reserveAssistant(draft: CallDraft, attempt: number): void {
  draft.addCommand({ kind: 'reserve_assistant', attempt });
}

/** The assistant's leg was lost: another process continues the session. */
export function continueSession(draft: CallDraft): void {
  const { phase } = draft.call;
  if (phase.kind !== 'assisted') return;
  if (phase.attempt >= ATTEMPTS_MAX) return fallBack(draft, 'failed');
  draft.enter({ ...phase, attempt: phase.attempt + 1 });
  reserveAssistant(draft, phase.attempt + 1);
}

/**
 * Whoever was to talk with the caller does not: the caller is connected with the assistant again. `result`: of the transfer by the
 * assistant; absent for a takeover.
 */
export function returnToAssistant(draft: CallDraft, result?: TransferResult): void {
  const { phase } = draft.call;
  if (phase.kind !== 'assisted') return;
  const { stage } = phase;
  const endedTransfer =
    result && 'actionId' in stage && stage.actionId ? { actionId: stage.actionId, result } : undefined;
  separateLegs(draft);
  endRinging(draft, 'cancelled');
  if (stage.kind === 'handing_over' && stage.actionId === null) releaseTakenOver(draft, stage);
  const { assistantLegId } = phase;
  draft.enter({ ...phase, link: 'none', stage: { kind: 'talking' }, ...(endedTransfer && { endedTransfer }) });
  if (endedTransfer) draft.note({ type: 'assistant', what: 'transfer_ended', detail: endedTransfer.result });
  if (draft.call.state === 'transferring') draft.move('queued');
  awaitConnection(draft);
  if (assistantLegId === null) continueSession(draft);
}

function releaseTakenOver(
  draft: CallDraft,
  { legId, to }: Extract<AssistedPhase['stage'], { kind: 'handing_over' }>,
): void {
  draft.hangUp(legId);
  if (to) draft.addCommand({ kind: 'end_conversation', employeeId: to.id });
}

/** The phones of a transfer by the assistant stop ringing, and who has answered is released. */
export function endRinging(draft: CallDraft, state: Extract<TransferState, 'cancelled' | 'failed'>): void {
  const { phase, transfers } = draft.call;
  if (phase.kind !== 'assisted') return;
  if (phase.stage.kind === 'transferring') {
    for (const { employee, legIds } of phase.stage.offers) {
      for (const legId of legIds) draft.hangUp(legId, 'ORIGINATOR_CANCEL');
      draft.note({ type: 'offer', what: 'offer_ended', employeeId: employee.id });
      draft.addCommand({ kind: 'release_offer', employeeId: employee.id });
    }
    for (const legId of phase.stage.outsideLegIds) draft.hangUp(legId, 'ORIGINATOR_CANCEL');
    draft.enter({ ...phase, stage: { ...phase.stage, offers: [], outsideLegIds: [] } });
  }
  const transfer = openTransfer(transfers);
  if (transfer?.fromAssistant) {
    releaseTarget(draft, transfer);
    changeTransfer(draft, transfer, { state });
  }
  draft.cancel('transfer_ring', 'whisper');
  awaitRemainingOutsideLegs(draft);
}

/** The caller goes on without the assistant: nobody is rung any more, or about to be connected. */
export function stopAssisted(draft: CallDraft, state: Extract<TransferState, 'cancelled' | 'failed'>): void {
  const { phase } = draft.call;
  if (phase.kind !== 'assisted') return;
  endRinging(draft, state);
  endTakeover(draft);
  if (phase.stage.kind === 'handing_over' && phase.stage.actionId === null) releaseTakenOver(draft, phase.stage);
  if (phase.assistantLegId !== null) draft.hangUp(phase.assistantLegId);
  draft.cancel('assistant_connect', 'assistant_length', 'bridge_overdue', 'prompt_overdue');
}

/** The caller goes on with the fallback, once the caller's leg waits for it. */
export function fallBack(draft: CallDraft, reason: FallbackReason): void {
  if (draft.call.phase.kind !== 'assisted' || draft.call.phase.stage.kind === 'leaving') return;
  separateLegs(draft);
  stopAssisted(draft, 'cancelled');
  assistantLeft(draft, 'fallback', reason);
  const { phase } = draft.call;
  if (phase.kind !== 'assisted') return;
  if (phase.flow.fallback.type === 'transfer') maskRecording(draft, true);
  else stopRecording(draft);
  draft.enter({ ...phase, assistantLegId: null, playId: null, link: 'none', stage: { kind: 'leaving' } });
  if (draft.call.state === 'transferring') draft.move('queued');
  awaitConnection(draft);
}

/** The caller and who is to talk with the caller should have been connected, or the fallback should have begun. */
export function connectionOverdue(draft: CallDraft, phase: AssistedPhase): void {
  const { stage, playId, assistantLegId } = phase;
  const isReady = assistantLegId !== null && draft.leg(assistantLegId)?.parked;
  if (stage.kind === 'talking' && !(playId !== null && isReady)) return fallBack(draft, 'failed');
  if (stage.kind === 'transferring' || stage.kind === 'whispering') return;
  awaitConnection(draft);
  if (phase.link !== 'none') return;
  const legs = stage.kind === 'leaving' ? [draft.call.customerLegId] : (wantedLegs(draft.call) ?? []);
  for (const legId of legs) if (!draft.leg(legId)?.parked) parkLeg(draft, legId);
}
