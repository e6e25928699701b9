import { controllerClaimed } from './blind-transfer.ts';
import { conferenceSettled, resumptionSettled } from './decide-transfer.ts';
import { promptPrepared, waitPromptPrepared } from './play-audio.ts';
import type { CallCommand, CommandResult, ControlStep, StepFailure, UploadOutcome } from '../model/call-command.ts';
import type { CallDraft } from './call-draft.ts';
import type { ApplyInput } from '../model/call-input.ts';
import { audioChecked } from './reconcile.ts';
import { takeEarlierPlace } from './callback.ts';
import { parkRefused } from './hold.ts';
import { keyPromptPrepared } from './outside-leg.ts';
import { maskSettled } from './pause-recording.ts';
import { recordingWithoutAudio } from './voicemail-audio.ts';

/** Cause of the end of a leg that was never created. */
export const NOT_RUNG = 'NOT_RUNG';

/** What follows from the outcome of a command. */
export function commandSettled(
  draft: CallDraft,
  command: CallCommand,
  result: CommandResult,
  apply: ApplyInput<CallDraft>,
): void {
  if (result.kind === 'unknown') return outcomeUnknown(draft, command);
  if (command.kind === 'control' && result.kind === 'control')
    return controlSettled(draft, command.steps, result.failures, apply);
  if (command.kind === 'ring' && result.kind === 'ring') {
    for (const [legId, contact] of Object.entries(result.contacts ?? {})) draft.changeLeg(legId, { contact });
    return rung(draft, command.legIds, result.rung, apply);
  }
  if (command.kind === 'dial' && result.kind === 'dial') return dialled(draft, command.legId, result.refused, apply);
  if (command.kind === 'prepare_prompt' && result.kind === 'prepare_prompt')
    return prepared(draft, command.playId, result.durationMs, apply);
  if (command.kind === 'prepare_key_prompt' && result.kind === 'prepare_key_prompt' && result.contentHash !== null)
    return keyPromptPrepared(draft, result.contentHash);
  if (command.kind === 'prepare_wait_prompt' && result.kind === 'prepare_wait_prompt')
    return waitPromptPrepared(draft, command, result.isReady);
  if (command.kind === 'replace_callbacks' && result.kind === 'replace_callbacks')
    return takeEarlierPlace(draft, result.since);
  if (command.kind === 'check_legs' && result.kind === 'check_legs')
    return legsChecked(draft, command.legIds, result.existing, apply);
  if (command.kind === 'check_audio' && result.kind === 'check_audio')
    return audioChecked(draft, command, result.application, apply);
  if (command.kind === 'claim_employee' && result.kind === 'claim_employee')
    return controllerClaimed(draft, command.employeeId, result.isClaimed);
  if (command.kind === 'upload_recording' && result.kind === 'upload_recording')
    return uploaded(draft, command.recording, result.outcome);
}

/** A leg may have been created by a command with an unknown outcome: the switch is queried. */
function outcomeUnknown(draft: CallDraft, command: CallCommand): void {
  if (command.kind === 'ring') draft.order({ kind: 'check_legs', legIds: command.legIds });
  if (command.kind === 'dial') draft.order({ kind: 'check_legs', legIds: [command.legId] });
}

function controlSettled(
  draft: CallDraft,
  steps: readonly ControlStep[],
  failures: readonly StepFailure[],
  apply: ApplyInput<CallDraft>,
): void {
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
    if (failure) stepRefused(draft, step, failure.noSuchLeg, apply);
  });
}

function stepRefused(draft: CallDraft, step: ControlStep, noSuchLeg: boolean, apply: ApplyInput<CallDraft>): void {
  // Nothing will report the end of a recording that was not begun.
  if (step.do === 'record_voicemail')
    apply(draft, { type: 'recording_stopped', legId: step.legId, recording: step.recording, durationMs: 0 });
  if (!noSuchLeg || !('legId' in step)) return;
  // The switch does not say which of the two is missing.
  if (step.do === 'bridge') draft.order({ kind: 'check_legs', legIds: [step.legId, step.peerId] });
  // The end of the leg was reported in a gap of the switch's events, or is about to be.
  else apply(draft, { type: 'leg_ended', legId: step.legId, cause: 'GONE' });
}

/** Legs that do not exist have ended, or were never created. */
function legsChecked(
  draft: CallDraft,
  legIds: readonly string[],
  existing: readonly string[],
  apply: ApplyInput<CallDraft>,
): void {
  const created = legIds.filter((id) => draft.leg(id) && draft.leg(id)?.status !== 'ordered');
  rung(draft, legIds, existing, apply);
  for (const legId of created.filter((id) => !existing.includes(id)))
    apply(draft, { type: 'leg_ended', legId, cause: 'GONE' });
}

/** Legs that were not needed, because the employee has fewer phones, never existed. */
function rung(
  draft: CallDraft,
  legIds: readonly string[],
  rungIds: readonly string[],
  apply: ApplyInput<CallDraft>,
): void {
  for (const legId of legIds.filter((id) => rungIds.includes(id)))
    if (draft.leg(legId)?.status === 'ordered') draft.changeLeg(legId, { status: 'dialing' });
  const unused = legIds.filter((id) => !rungIds.includes(id) && draft.leg(id)?.status === 'ordered');
  for (const legId of unused) apply(draft, { type: 'leg_ended', legId, cause: NOT_RUNG });
}

function dialled(draft: CallDraft, legId: string, refusedWith: string | null, apply: ApplyInput<CallDraft>): void {
  if (refusedWith !== null) apply(draft, { type: 'leg_ended', legId, cause: refusedWith });
  else if (draft.leg(legId)?.status === 'ordered') draft.changeLeg(legId, { status: 'dialing' });
}

/** Without audio in time the call continues as if the prompt had been played. */
function prepared(draft: CallDraft, playId: string, durationMs: number | null, apply: ApplyInput<CallDraft>): void {
  if (durationMs !== null) return void promptPrepared(draft, playId, durationMs);
  const legId = draft.call.customerLegId;
  apply(draft, { type: 'playback_finished', legId, playId, played: false });
}

function uploaded(draft: CallDraft, name: string, outcome: UploadOutcome): void {
  if (outcome === 'uploaded') return draft.order({ kind: 'delete_recording_file', recording: name });
  // The refusal was noted when it was made.
  if (outcome === 'refused') return;
  draft.note({ type: 'recording', what: 'recording_missing' });
  recordingWithoutAudio(draft, name);
}
