import { play, playPrompt } from './play-audio.ts';
import type { Call } from '../model/call.ts';
import type { CallDraft } from './call-draft.ts';
import type { Prompt } from '../model/call-flow.ts';
import { hangUpCall } from './end-call.ts';
import { hasMessage, keepVoicemail } from './voicemail-audio.ts';

const VOICEMAIL_MAX_SECS = 180;
const SILENCE_SECS = 10;
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
  const limits = { maxSecs: VOICEMAIL_MAX_SECS, silenceSecs: SILENCE_SECS };
  const step = { do: 'record_voicemail', legId: customerLegId, playId, recording: name, ...limits } as const;
  draft.addCommand({ kind: 'record', step });
  draft.due('voicemail_limit', VOICEMAIL_MAX_SECS * 1000);
}

/**
 * The process that was to order the recording did not, and the switch has no file of it. Under another name: should the order
 * reach the switch after all, it does not spoil the new file.
 */
export function recordVoicemailAgain(draft: CallDraft, { recording }: VoicemailPhase): void {
  draft.changeRecording(recording, { status: 'missing' });
  draft.note({ type: 'recording', what: 'recording_missing' });
  startVoicemail(draft);
}

/** `#`, or the limit. */
export function stopVoicemail(draft: CallDraft): void {
  draft.cancel('voicemail_limit');
  draft.control({ do: 'stop_audio', legId: draft.call.customerLegId });
}

/**
 * The recording has ended: a voicemail, if it has a message. `durationMs` null: its end was not reported, so its audio
 * decides once it has been fetched from the switch.
 */
export function voicemailStopped(draft: CallDraft, { recording }: VoicemailPhase, durationMs: number | null): void {
  draft.cancel('voicemail_limit');
  if (durationMs === null) {
    draft.set({ awaitedVoicemail: recording });
    draft.note({ type: 'recording', what: 'voicemail_awaited' });
  } else if (hasMessage(durationMs)) keepVoicemail(draft, recording);
  hangUpCall(draft);
}
