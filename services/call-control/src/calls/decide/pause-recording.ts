import type { Refusal } from '@parley/errors';
import { isRecordingPaused, type RecordingPause } from '../model/call.ts';
import type { ControlStep } from '../model/call-command.ts';
import type { CallInput } from '../model/call-input.ts';
import type { CallDraft } from './call-draft.ts';
import { runningRecording } from './conversation-recording.ts';
import { refuseControl } from './hold.ts';

/**
 * Pauses the recording, or ends that. The switch records silence meanwhile, so that times in the recording stay those
 * of the conversation. A pause lasts until the controller of the moment ends it: also through a transfer.
 */
export function pauseRecording(
  draft: CallDraft,
  { actorId, paused }: Extract<CallInput, { type: 'pause_recording' }>,
): Refusal | undefined {
  const why = refuseControl(draft.call, actorId);
  if (why) return why;
  const before = draft.call.recordingPause ?? { isPaused: false, isConfirmed: true, isMasked: false };
  // A change that is not confirmed may never be: it is ordered again.
  if (before.isPaused === paused && before.isConfirmed) return undefined;
  if (before.isPaused !== paused) note(draft, paused ? 'recording_paused' : 'recording_resumed', actorId);
  const running = runningRecording(draft);
  // Without a recording there is nothing that the switch could confirm.
  change(draft, { isPaused: paused, isConfirmed: !running, isMasked: running ? before.isMasked : paused });
  if (running) draft.control({ do: 'mask_recording', legId: running.legId, recording: running.name, isMasked: paused });
  return undefined;
}

/** The switch has paused or resumed the recording, or refused that: then it stays as it was. */
export function maskSettled(
  draft: CallDraft,
  step: Extract<ControlStep, { do: 'mask_recording' }>,
  wasRefused: boolean,
): void {
  const { recordingPause: before, phase } = draft.call;
  if (!before) return;
  const masked = wasRefused ? before.isMasked : step.isMasked;
  // Given up when it was refused; without anything awaited, a later one of several orders is what counts.
  const isSettled = wasRefused ? before.isPaused === step.isMasked : before.isConfirmed;
  const isPaused = isSettled ? masked : before.isPaused;
  if (wasRefused && masked !== step.isMasked)
    note(
      draft,
      step.isMasked ? 'recording_pause_refused' : 'recording_resume_refused',
      phase.kind === 'talking' ? phase.employee.id : undefined,
    );
  change(draft, { isPaused, isConfirmed: isPaused === masked, isMasked: masked });
}

function change(draft: CallDraft, recordingPause: RecordingPause): void {
  const wasPaused = isRecordingPaused(draft.call);
  draft.set({ recordingPause });
  if (isRecordingPaused(draft.call) !== wasPaused) draft.emit('call-control.call.updated');
}

function note(draft: CallDraft, what: string, employeeId: string | undefined): void {
  draft.note({ type: 'recording', what, ...(employeeId !== undefined && { employeeId }) });
}
