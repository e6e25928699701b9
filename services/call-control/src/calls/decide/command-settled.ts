import { assistantReserved } from './assisted-call.ts';
import { controllerClaimed } from './blind-transfer.ts';
import { conferenceSettled, resumptionSettled } from './decide-transfer.ts';
import { promptPrepared, waitPromptPrepared } from './play-audio.ts';
import type { CallCommand, CommandResult, ControlStep, StepFailure, UploadOutcome } from '../model/call-command.ts';
import type { CallDraft, InputDraft } from './call-draft.ts';
import { audioChecked, checkAudio } from './reconcile.ts';
import { callbackPermitted, takeEarlierPlace } from './callback.ts';
import { parkRefused } from './hold.ts';
import { keyPromptPrepared } from './outside-leg.ts';
import { maskSettled } from './pause-recording.ts';
import { updatesConfirmed } from './session-updates.ts';
import { recordingWithoutAudio } from './voicemail-audio.ts';

/** Cause of the end of a leg that was never created. */
export const NOT_RUNG = 'NOT_RUNG';

/** Decides the consequences of a command's result. */
export function commandSettled(draft: InputDraft, command: CallCommand, result: CommandResult): void {
  if (result.kind === 'unknown') return outcomeUnknown(draft, command);
  if (command.kind === 'control' && result.kind === 'control')
    return controlSettled(draft, command.steps, result.failures);
  if (command.kind === 'record' && result.kind === 'control')
    return controlSettled(draft, [command.step], result.failures);
  if (command.kind === 'ring' && result.kind === 'ring') {
    for (const [legId, contact] of Object.entries(result.contacts ?? {})) draft.changeLeg(legId, { contact });
    return rung(draft, command.legIds, result.rung);
  }
  if ((command.kind === 'dial' || command.kind === 'dial_assistant') && result.kind === 'dial')
    return dialled(draft, command.legId, result.refused);
  if (command.kind === 'reserve_assistant' && result.kind === 'reserve_assistant')
    return assistantReserved(draft, command.attempt, result.reservation);
  if (command.kind === 'update_assistant' && result.kind === 'update_assistant')
    return updatesConfirmed(draft, result.confirmed);
  if (command.kind === 'prepare_prompt' && result.kind === 'prepare_prompt')
    return prepared(draft, command.playId, result.durationMs);
  if (command.kind === 'prepare_key_prompt' && result.kind === 'prepare_key_prompt' && result.contentHash !== null)
    return keyPromptPrepared(draft, result.contentHash);
  if (command.kind === 'prepare_wait_prompt' && result.kind === 'prepare_wait_prompt')
    return waitPromptPrepared(draft, command, result.isReady);
  if (command.kind === 'permit_callback' && result.kind === 'permit_callback')
    return callbackPermitted(draft, result.isPermitted);
  if (command.kind === 'replace_callbacks' && result.kind === 'replace_callbacks')
    return takeEarlierPlace(draft, result.since);
  if (command.kind === 'check_legs' && result.kind === 'check_legs')
    return legsChecked(draft, command.legIds, result.existing);
  if (command.kind === 'check_audio' && result.kind === 'check_audio') return audioChecked(draft, command, result);
  if (command.kind === 'claim_employee' && result.kind === 'claim_employee')
    return controllerClaimed(draft, command.employeeId, result);
  if (command.kind === 'upload_recording' && result.kind === 'upload_recording')
    return uploaded(draft, command.recording, result.outcome);
}

/** A leg may have been created, a recording begun, by a command with an unknown outcome: the switch is queried. */
function outcomeUnknown(draft: CallDraft, command: CallCommand): void {
  const { phase } = draft.call;
  if (command.kind === 'record' && phase.kind === 'voicemail' && phase.playId === command.step.playId)
    draft.addCommand(checkAudio(draft.call, phase));
  if (command.kind === 'ring') draft.addCommand({ kind: 'check_legs', legIds: command.legIds });
  if (command.kind === 'dial' || command.kind === 'dial_assistant')
    draft.addCommand({ kind: 'check_legs', legIds: [command.legId] });
}

function controlSettled(draft: InputDraft, steps: readonly ControlStep[], failures: readonly StepFailure[]): void {
  steps.forEach((step, index) => {
    const failure = failures.find((candidate) => candidate.step === index);
    if (failure)
      draft.note({
        type: 'command',
        what: `${step.do}_refused`,
        detail: failure.reason,
        ...('legId' in step && { legId: step.legId }),
      });
    if (step.do === 'join_conference') conferenceSettled(draft, step.room, failure !== undefined);
    if (step.do === 'bridge' && !failure) resumptionSettled(draft);
    if (step.do === 'mask_recording') maskSettled(draft, step, failure !== undefined);
    if (step.do === 'park' && failure && !failure.noSuchLeg) parkRefused(draft, step.legId);
    if (failure) stepRefused(draft, step, failure.noSuchLeg);
  });
}

function stepRefused(draft: InputDraft, step: ControlStep, noSuchLeg: boolean): void {
  // Nothing will report the end of a recording that was not begun.
  if (step.do === 'record_voicemail')
    draft.apply({ type: 'recording_stopped', legId: step.legId, recording: step.recording, durationMs: 0 });
  if (!noSuchLeg || !('legId' in step)) return;
  // The switch does not say which of the two is missing.
  if (step.do === 'bridge') draft.addCommand({ kind: 'check_legs', legIds: [step.legId, step.peerId] });
  // The end of the leg was reported in a gap of the switch's events, or is about to be.
  else draft.apply({ type: 'leg_ended', legId: step.legId, cause: 'GONE' });
}

/** Legs that do not exist have ended, or were never created. */
function legsChecked(draft: InputDraft, legIds: readonly string[], existing: readonly string[]): void {
  const created = legIds.filter((id) => draft.leg(id) && draft.leg(id)?.status !== 'ordered');
  rung(draft, legIds, existing);
  for (const legId of created.filter((id) => !existing.includes(id)))
    draft.apply({ type: 'leg_ended', legId, cause: 'GONE' });
}

/** Legs that were not needed, because the employee has fewer phones, never existed. */
function rung(draft: InputDraft, legIds: readonly string[], rungIds: readonly string[]): void {
  for (const legId of legIds.filter((id) => rungIds.includes(id)))
    if (draft.leg(legId)?.status === 'ordered') draft.changeLeg(legId, { status: 'dialing' });
  const unused = legIds.filter((id) => !rungIds.includes(id) && draft.leg(id)?.status === 'ordered');
  for (const legId of unused) draft.apply({ type: 'leg_ended', legId, cause: NOT_RUNG });
}

function dialled(draft: InputDraft, legId: string, refusedWith: string | null): void {
  if (refusedWith !== null) draft.apply({ type: 'leg_ended', legId, cause: refusedWith });
  else if (draft.leg(legId)?.status === 'ordered') draft.changeLeg(legId, { status: 'dialing' });
}

/** Without audio in time the call continues as if the prompt had been played. */
function prepared(draft: InputDraft, playId: string, durationMs: number | null): void {
  if (durationMs !== null) return void promptPrepared(draft, playId, durationMs);
  const legId = draft.call.customerLegId;
  draft.apply({ type: 'playback_finished', legId, playId, played: false });
}

function uploaded(draft: CallDraft, name: string, outcome: UploadOutcome): void {
  if (outcome === 'uploaded') return draft.addCommand({ kind: 'delete_recording_file', recording: name });
  // The refusal was noted when it was made.
  if (outcome === 'refused') return;
  draft.note({ type: 'recording', what: 'recording_missing' });
  recordingWithoutAudio(draft, name);
}
