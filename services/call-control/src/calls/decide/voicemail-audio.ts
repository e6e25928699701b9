import type { CallDraft } from './call-draft.ts';
import type { CallInput } from '../model/call-input.ts';

/** A shorter recording has no message. */
const VOICEMAIL_MIN_MS = 1000;
/** While a killed switch is started again, neither a voicemail nor a lost call is announced for this time. */
const UNANNOUNCED_AUDIO_MS = 600_000;
/** A voicemail whose recording was complete on the switch is listed without its audio for this time. */
const ANNOUNCED_AUDIO_MS = 3_600_000;

export function hasMessage(durationMs: number): boolean {
  return durationMs >= VOICEMAIL_MIN_MS;
}

/** The caller left a voicemail. */
export function keepVoicemail(draft: CallDraft, recording: string): void {
  const voicemailId = `vm_${draft.newId().replaceAll('-', '')}`;
  draft.set({ voicemailId });
  draft.note({ type: 'recording', what: 'voicemail_left' });
  draft.addCommand({ kind: 'save_voicemail', voicemailId, recording });
}

/** The call has ended, and the audio of its voicemail is fetched: for a limited time, as it may never come. */
export function awaitVoicemailAudio(draft: CallDraft): void {
  const { voicemailId, awaitedVoicemail } = draft.call;
  if (awaitedVoicemail) draft.due('voicemail_audio', UNANNOUNCED_AUDIO_MS);
  else if (voicemailId !== null) draft.due('voicemail_audio', ANNOUNCED_AUDIO_MS);
}

/**
 * The length of a recording may become known after its end: an awaited voicemail is then announced or dropped. One whose length
 * stays unknown (null) may have a message.
 */
export function voicemailMeasured(draft: CallDraft, recording: string, durationMs: number | null): void {
  if (draft.call.awaitedVoicemail !== recording) return;
  if (durationMs !== null && !hasMessage(durationMs)) return voicemailWithoutAudio(draft, recording);
  draft.set({ awaitedVoicemail: null });
  keepVoicemail(draft, recording);
  if (draft.call.phase.kind === 'ended') awaitVoicemailAudio(draft);
}

/** The audio is stored: the voicemail is complete. */
function voicemailStored(draft: CallDraft, recording: string, durationMs: number | null): void {
  voicemailMeasured(draft, recording, durationMs);
  if (draft.call.recordings.some(({ name, kind }) => name === recording && kind === 'voicemail'))
    draft.cancel('voicemail_audio');
}

/** The audio did not come in time; if it comes later it is not kept. */
export function voicemailAudioOverdue(draft: CallDraft): void {
  const recording = draft.call.recordings.findLast(({ kind, status }) => kind === 'voicemail' && status !== 'stored');
  if (!recording) return;
  voicemailWithoutAudio(draft, recording.name);
  voicemailDeleted(draft, recording.name);
}

/** The switch does not have a recording. */
export function recordingWithoutAudio(draft: CallDraft, name: string): void {
  const recording = draft.call.recordings.find((candidate) => candidate.name === name);
  if (!recording || recording.status === 'stored') return;
  draft.changeRecording(name, { status: 'missing' });
  voicemailWithoutAudio(draft, name);
}

/** Once, however often it is sent; one that was stored before stays as it is. There is audio, so a voicemail stays without it. */
export function recordingRefused(draft: CallDraft, name: string, status: number): void {
  const recording = draft.call.recordings.find((candidate) => candidate.name === name);
  if (!recording || recording.isRefused) return;
  const isStored = recording.status === 'stored';
  draft.changeRecording(name, { isRefused: true, status: isStored ? 'stored' : 'missing' });
  draft.note({ type: 'recording', what: 'recording_refused', detail: String(status) });
  if (!isStored) voicemailStored(draft, name, recording.durationMs);
}

/** There is no audio, so there is no voicemail: one that was announced is withdrawn, and the call is lost. */
function voicemailWithoutAudio(draft: CallDraft, recording: string): void {
  const { recordings, voicemailId, awaitedVoicemail, phase } = draft.call;
  const file = recordings.find(({ name }) => name === recording);
  // An employee who deleted it has seen it: the call is not lost.
  if (file?.kind !== 'voicemail' || file.isDeleted) return;
  if (voicemailId === null && awaitedVoicemail !== recording) return;
  draft.note({ type: 'recording', what: 'voicemail_without_audio' });
  if (voicemailId !== null) draft.addCommand({ kind: 'withdraw_voicemail', voicemailId });
  draft.set({ voicemailId: null, awaitedVoicemail: null });
  draft.cancel('voicemail_audio');
  if (phase.kind === 'ended') draft.emit('call-control.call.lost');
}

export function voicemailDeleted(draft: CallDraft, name: string): void {
  const recording = draft.call.recordings.find((candidate) => candidate.name === name);
  if (!recording || recording.isDeleted) return;
  draft.changeRecording(name, { isDeleted: true });
  draft.note({ type: 'recording', what: 'voicemail_deleted' });
}

/** The audio of a recording has been fetched from the switch. */
export function recordingStored(draft: CallDraft, input: Extract<CallInput, { type: 'recording_stored' }>): void {
  const recording = draft.call.recordings.find(({ name }) => name === input.recording);
  if (!recording || recording.status === 'stored') return;
  const { sizeBytes, contentHash } = input;
  const durationMs = input.durationMs ?? recording.durationMs;
  draft.changeRecording(recording.name, { status: 'stored', sizeBytes, contentHash, durationMs });
  const detail = input.durationMs === null ? { detail: 'it cannot be read' } : {};
  draft.note({ type: 'recording', what: 'recording_stored', ...detail });
  voicemailStored(draft, recording.name, durationMs);
}
