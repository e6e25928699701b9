import type { Audio } from './call-command.ts';
import type { CallDraft } from './call-draft.ts';
import type { Prompt } from './call-flow.ts';

/** A prompt whose audio is still being generated is waited for at most this long. */
const UNKNOWN_PROMPT_MS = 60_000;
/** Fetching the audio, and the switch's own delay. */
const PROMPT_GRACE_MS = 10_000;

/** How often a prompt is asked for; each time the switch waits a few seconds for audio that is being generated. */
const ATTEMPTS_MAX = 5;

/** Answers the caller if need be and plays; the end is reported by the switch, or noticed by a timer. */
export function playPrompt(draft: CallDraft, prompt: Prompt, failures = 0): string {
  draft.set({ prompt: { prompt, failures } });
  const playId = play(draft, { kind: 'prompt', contentHash: prompt.contentHash });
  draft.due('prompt_overdue', (prompt.durationMs ?? UNKNOWN_PROMPT_MS) + PROMPT_GRACE_MS);
  return playId;
}

/** Replaces whatever the remote party hears. */
export function play(draft: CallDraft, audio: Audio): string {
  const legId = draft.call.customerLegId;
  const playId = draft.newId();
  if (draft.call.customerAnswered) draft.control({ do: 'stop_audio', legId });
  else draft.control({ do: 'answer', legId });
  draft.set({ customerAnswered: true });
  draft.control({ do: 'play', legId, playId, audio });
  return playId;
}

/** Plays a prompt again whose audio was not found: it may be there by now. False when it is given up. */
export function retryPrompt(draft: CallDraft): boolean {
  const { phase, prompt } = draft.call;
  if (!prompt || !('playId' in phase) || phase.kind === 'waiting' || phase.kind === 'voicemail') return false;
  const failures = prompt.failures + 1;
  draft.note({ type: 'dropped', what: 'prompt_not_found', detail: String(failures) });
  if (failures >= ATTEMPTS_MAX) return false;
  draft.enter({ ...phase, playId: playPrompt(draft, prompt.prompt, failures) });
  return true;
}
