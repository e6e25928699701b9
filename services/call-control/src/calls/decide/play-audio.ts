import type { Audio } from '../model/call-command.ts';
import type { CallDraft } from './call-draft.ts';
import type { Prompt } from '../model/call-flow.ts';

/** Audio that is being generated is waited for this long; the caller hears ringing meanwhile, and the call continues without it. */
export const PREPARE_MS = 25_000;
/** A prompt of unknown length. */
const UNKNOWN_PROMPT_MS = 60_000;
/** Fetching the audio, and the switch's own delay. */
const PROMPT_GRACE_MS = 10_000;
/** A prompt whose audio was not found is prepared and played once more. */
const ATTEMPTS_MAX = 2;
const WAIT_PROMPT_ATTEMPTS = 3;

/** Plays a prompt, or generates its audio first; its end is reported by the switch or a timer. */
export function playPrompt(draft: CallDraft, prompt: Prompt, failures = 0): string {
  return prompt.durationMs === null || failures > 0
    ? preparePrompt(draft, prompt, failures)
    : playPrepared(draft, prompt, failures);
}

/** The call is not answered for audio that does not exist yet. */
function preparePrompt(draft: CallDraft, prompt: Prompt, failures: number): string {
  const { customerLegId: legId, customerAnswered } = draft.call;
  draft.set({ prompt: { prompt, failures, isPrepared: false } });
  const playId = draft.newId();
  if (customerAnswered) play(draft, { kind: 'ringtone' });
  else draft.control({ do: 'ring', legId, playId });
  draft.addCommand({ kind: 'prepare_prompt', playId, contentHash: prompt.contentHash });
  draft.due('prompt_overdue', PREPARE_MS + PROMPT_GRACE_MS);
  return playId;
}

function playPrepared(draft: CallDraft, prompt: Prompt, failures: number): string {
  draft.set({ prompt: { prompt, failures, isPrepared: true } });
  const playId = play(draft, { kind: 'prompt', contentHash: prompt.contentHash });
  draft.due('prompt_overdue', (prompt.durationMs ?? UNKNOWN_PROMPT_MS) + PROMPT_GRACE_MS);
  return playId;
}

/** Answers the call if necessary, and replaces the audio of the remote party. */
export function play(draft: CallDraft, audio: Audio): string {
  const legId = draft.call.customerLegId;
  const playId = draft.newId();
  if (draft.call.customerAnswered) draft.control({ do: 'stop_audio', legId });
  else draft.control({ do: 'answer', legId });
  draft.set({ customerAnswered: true });
  draft.control({ do: 'play', legId, playId, audio });
  return playId;
}

/** To a remote party in a call that was answered, between two conversations. */
export function playWaitAudio(draft: CallDraft): void {
  const { customerLegId: legId, number } = draft.call;
  draft.control(
    { do: 'stop_audio', legId },
    { do: 'play', legId, playId: draft.newId(), audio: { kind: number.waitAudio } },
  );
}

/** Plays prompts to a caller who waits, and the wait audio again behind them: the switch plays one after the other. */
function playToWaitingCaller(draft: CallDraft, contentHashes: readonly string[]): void {
  const { customerLegId: legId, number, phase } = draft.call;
  if (phase.kind !== 'waiting' || !draft.leg(legId) || draft.leg(legId)?.hangingUp) return;
  const prompts = contentHashes.map((contentHash) => ({ kind: 'prompt', contentHash }) as const);
  const audio: readonly Audio[] = [...prompts, { kind: number.waitAudio }];
  const steps = audio.map((played) => ({ do: 'play', legId, playId: draft.newId(), audio: played }) as const);
  draft.control({ do: 'stop_audio', legId }, ...steps);
  draft.enter({ ...phase, playId: steps.at(-1)!.playId });
}

/** Plays those that have audio, and each of the others once it has: the caller hears the wait audio meanwhile. */
export function sayToWaitingCaller(draft: CallDraft, prompts: readonly Prompt[]): void {
  const ready = prompts.filter(({ durationMs }) => durationMs !== null);
  const hashes = ready.map(({ contentHash }) => contentHash);
  if (hashes.length > 0) playToWaitingCaller(draft, hashes);
  for (const { contentHash, durationMs } of prompts)
    if (durationMs === null) draft.addCommand({ kind: 'prepare_wait_prompt', contentHash, attempt: 1 });
}

/** It is tried again while the caller waits, within limits. */
export function waitPromptPrepared(
  draft: CallDraft,
  { contentHash, attempt }: { readonly contentHash: string; readonly attempt: number },
  isReady: boolean,
): void {
  if (isReady) playToWaitingCaller(draft, [contentHash]);
  else if (attempt < WAIT_PROMPT_ATTEMPTS && draft.call.phase.kind === 'waiting')
    draft.addCommand({ kind: 'prepare_wait_prompt', contentHash, attempt: attempt + 1 });
}

/** The audio of the prompt that the phase waits for has been generated; false when there is no such prompt. */
export function promptPrepared(draft: CallDraft, playId: string, durationMs: number): boolean {
  const { phase, prompt } = draft.call;
  if (!prompt || !('playId' in phase) || phase.playId !== playId) return false;
  const prepared = { ...prompt.prompt, durationMs };
  draft.enter({ ...phase, playId: playPrepared(draft, prepared, prompt.failures) });
  return true;
}

/** Prepares a prompt again whose audio was not found. False after the last attempt. */
export function retryPrompt(draft: CallDraft): boolean {
  const { phase, prompt } = draft.call;
  if (!prompt?.isPrepared || !('playId' in phase) || phase.kind === 'waiting' || phase.kind === 'voicemail')
    return false;
  const failures = prompt.failures + 1;
  draft.note({ type: 'dropped', what: 'prompt_not_found', detail: String(failures) });
  if (failures >= ATTEMPTS_MAX) return false;
  draft.enter({ ...phase, playId: playPrompt(draft, prompt.prompt, failures) });
  return true;
}
