import { play, playPrompt } from './play-audio.ts';
import type { Call } from '../model/call.ts';
import type { CallDraft } from './call-draft.ts';
import type { Prompt } from '../model/call-flow.ts';
import { hangUpCall } from './end-call.ts';

const VOICEMAIL_MAX_SECS = 180;
const SILENCE_SECS = 10;
/** A shorter recording has no message. */
const VOICEMAIL_MIN_MS = 1000;
const BEEP_OVERDUE_MS = 5000;

type VoicemailPhase = Extract<Call['phase'], { kind: 'voicemail' }>;

export function leaveVoicemail(draft: CallDraft, greeting: Prompt | null): void {
  draft.move('playing_audio');
  if (!greeting) return beep(draft);
  draft.enter({ kind: 'greeting', playId: playPrompt(draft, greeting) });
}

export function beep(draft: CallDraft): void {
  draft.set({ prompt: null });
  draft.enter({ kind: 'beep', playId: play(draft, { kind: 'beep' }) });
  draft.due('prompt_overdue', BEEP_OVERDUE_MS);
}

export function startVoicemail(draft: CallDraft): void {
  const { id, recordings, customerLegId } = draft.call;
  const name = `${id}-${recordings.length + 1}`;
  const playId = draft.newId();
  const recording = { name, kind: 'voicemail', legId: customerLegId, startedAt: draft.now, status: 'started' } as const;
  draft.cancel('prompt_overdue');
  draft.move('recording');
  draft.set({ recordings: [...recordings, { ...recording, durationMs: null, sizeBytes: null }] });
  draft.enter({ kind: 'voicemail', playId, recording: name });
  draft.control({
    do: 'record_voicemail',
    legId: customerLegId,
    playId,
    recording: name,
    maxSecs: VOICEMAIL_MAX_SECS,
    silenceSecs: SILENCE_SECS,
  });
  draft.due('voicemail_limit', VOICEMAIL_MAX_SECS * 1000);
}

/** `#`, or the limit. */
export function stopVoicemail(draft: CallDraft): void {
  draft.cancel('voicemail_limit');
  draft.control({ do: 'stop_audio', legId: draft.call.customerLegId });
}

/** The recording is complete: a voicemail, if it has a message. `durationMs` null: its end was not reported. */
export function voicemailStopped(draft: CallDraft, { recording }: VoicemailPhase, durationMs: number | null): void {
  draft.cancel('voicemail_limit');
  if (saysSomething(draft, recording, durationMs)) {
    const voicemailId = `vm_${draft.newId().replaceAll('-', '')}`;
    draft.set({ voicemailId });
    draft.note({ type: 'recording', what: 'voicemail_left' });
    draft.order({ kind: 'save_voicemail', voicemailId, recording });
  }
  hangUpCall(draft);
}

function saysSomething(draft: CallDraft, recording: string, durationMs: number | null): boolean {
  const startedAt = draft.call.recordings.find(({ name }) => name === recording)?.startedAt ?? draft.now;
  return (durationMs ?? draft.now.getTime() - startedAt.getTime()) >= VOICEMAIL_MIN_MS;
}

export function voicemailDeleted(draft: CallDraft, name: string): void {
  const { recordings } = draft.call;
  const recording = recordings.find((candidate) => candidate.name === name);
  if (!recording || recording.isDeleted) return;
  draft.set({
    recordings: recordings.map((other) => (other === recording ? { ...recording, isDeleted: true } : other)),
  });
  draft.note({ type: 'recording', what: 'voicemail_deleted' });
}
