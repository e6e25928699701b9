import type { Refusal } from '@parley/errors';
import { isRecordingPaused } from '../model/call.ts';
import type { ControlStep } from '../model/call-command.ts';
import type { CallInput } from '../model/call-input.ts';
import type { CallDraft } from './call-draft.ts';
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
  if (isRecordingPaused(draft.call) === paused) return undefined;
  const running = draft.call.recordings.find(({ kind, status }) => kind === 'conversation' && status === 'started');
  draft.note({
    type: 'recording',
    what: paused ? 'recording_paused' : 'recording_resumed',
    employeeId: actorId,
  });
  // Without a recording there is nothing that the switch could confirm.
  draft.set({ recordingPause: { isPaused: paused, isConfirmed: !running } });
  if (running) draft.control({ do: 'mask_recording', legId: running.legId, recording: running.name, isMasked: paused });
  draft.emit('call-control.call.updated');
  return undefined;
}

/** The switch has paused or resumed the recording. A refusal leaves it unconfirmed. */
export function recordingMasked(draft: CallDraft, { isMasked }: Extract<ControlStep, { do: 'mask_recording' }>): void {
  const { recordingPause } = draft.call;
  if (recordingPause?.isPaused === isMasked) draft.set({ recordingPause: { ...recordingPause, isConfirmed: true } });
}
