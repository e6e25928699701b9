import type { CallInput } from '../model/call-input.ts';
import type { CallDraft } from './call-draft.ts';
import { voicemailStored } from './voicemail-audio.ts';

/** The audio of a recording has been fetched from the switch. */
export function recordingStored(draft: CallDraft, input: Extract<CallInput, { type: 'recording_stored' }>): void {
  const { recordings } = draft.call;
  const recording = recordings.find(({ name }) => name === input.recording);
  if (!recording || recording.status === 'stored') return;
  const { sizeBytes, contentHash } = input;
  const durationMs = input.durationMs ?? recording.durationMs;
  const stored = { ...recording, status: 'stored', sizeBytes, contentHash, durationMs } as const;
  draft.set({ recordings: recordings.map((other) => (other === recording ? stored : other)) });
  const detail = input.durationMs === null ? { detail: 'it cannot be read' } : {};
  draft.note({ type: 'recording', what: 'recording_stored', ...detail });
  voicemailStored(draft, recording.name, durationMs);
}

/** Once: a transcription that is repeated after a crash changes nothing. */
export function transcribed(draft: CallDraft): void {
  if (draft.call.hasTranscription || draft.call.isContentRemoved) return;
  draft.set({ hasTranscription: true });
  draft.note({ type: 'recording', what: 'transcribed' });
  draft.emit('call-control.call.transcription_done');
}
