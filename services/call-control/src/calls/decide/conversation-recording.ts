import type { RecordingFile } from '../../recordings/recording-file.ts';
import type { CallDraft } from './call-draft.ts';

/** The remote party's leg, which exists as long as the call: its channels are the customer and whoever is connected. */
export function startRecording(draft: CallDraft): void {
  const { number, customerLegId, recordings, id } = draft.call;
  if (!number.recordingEnabled) return;
  const name = `${id}-${recordings.length + 1}`;
  const kind = 'conversation';
  const started = { name, kind, legId: customerLegId, startedAt: draft.now, status: 'started' } as const;
  draft.set({ recordings: [...recordings, { ...started, durationMs: null, sizeBytes: null }] });
  draft.note({ type: 'recording', what: 'recording_ordered' });
  draft.control({ do: 'start_recording', legId: customerLegId, recording: name });
}

/** The recording of the conversation that runs now. */
export function runningRecording({ call }: CallDraft): RecordingFile | undefined {
  return call.recordings.find(({ kind, status }) => kind === 'conversation' && status === 'started');
}

/** Nothing of what a caller says who waits is recorded, once an assistant has talked with the caller. Times stay those of the recording. */
export function maskRecording(draft: CallDraft, isMasked: boolean): void {
  const running = runningRecording(draft);
  if (!running || (running.isMasked ?? false) === isMasked) return;
  draft.changeRecording(running.name, { isMasked });
  draft.control({ do: 'mask_recording', legId: running.legId, recording: running.name, isMasked });
}

/** Somebody talks with a remote party that has waited; the recording of a call with an assistant may have been stopped meanwhile. */
export function resumeRecording(draft: CallDraft): void {
  const { assistant, recordings } = draft.call;
  if (runningRecording(draft)) maskRecording(draft, false);
  else if (assistant && recordings.some(({ kind }) => kind === 'conversation')) startRecording(draft);
}

export function stopRecording(draft: CallDraft): void {
  for (const { kind, status, name, legId } of draft.call.recordings)
    if (kind === 'conversation' && status === 'started')
      draft.control({ do: 'stop_recording', legId, recording: name });
}
