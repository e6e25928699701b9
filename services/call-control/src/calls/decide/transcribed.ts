import type { RecordingFile } from '../../recordings/recording-file.ts';
import { type Call } from '../model/call.ts';
import type { CallDraft } from './call-draft.ts';

/** A recording was transcribed. Once: what is repeated after a crash changes nothing. */
export function transcribed(draft: CallDraft, name: string): void {
  const { assistant, hasTranscription, isContentRemoved, recordings } = draft.call;
  if (isContentRemoved) return;
  if (!assistant) {
    if (hasTranscription) return;
  } else {
    if (recordings.find((recording) => recording.name === name)?.isTranscribed) return;
    draft.changeRecording(name, { isTranscribed: true });
  }
  draft.set({ hasTranscription: true });
  draft.note({ type: 'recording', what: 'transcribed' });
  transcriptChanged(draft);
}

/** What became of the session of an assistant is stored. Once, as above. */
export function sessionStored(draft: CallDraft, isKept: boolean): void {
  const { isSessionStored, isContentRemoved, hasTranscription = false } = draft.call;
  if (isSessionStored || isContentRemoved) return;
  draft.set({ isSessionStored: true, hasTranscription: hasTranscription || isKept });
  draft.note({ type: 'assistant', what: 'session_stored' });
  transcriptChanged(draft);
}

/** A transcript without words is none; of several parts the last one completes it. */
function transcriptChanged(draft: CallDraft): void {
  const isComplete = draft.call.hasTranscription && !isPartAwaited(draft.call);
  draft.emit(isComplete ? 'call-control.call.transcription_done' : 'call-control.call.updated');
}

function isPartAwaited({ assistant, isSessionStored, recordings, conversationSpans }: Call): boolean {
  if (!assistant) return false;
  const isAwaited = (recording: RecordingFile) =>
    !recording.isTranscribed && !recording.isDeleted && recording.status !== 'missing';
  const ofEmployees = recordings.filter(({ name }) => conversationSpans.some((span) => span.recording === name));
  return (assistant.sessionId !== null && !isSessionStored) || ofEmployees.some(isAwaited);
}
