import type { Expectation } from '../engine/engine.ts';

/**
 * What turn taking reads and decides. All times are milliseconds of the session's audio, so that a delayed process decides as a
 * punctual one does.
 */

export type AudioEvent =
  /** The caller's voice began, or went on after a pause. */
  | { readonly kind: 'voice_began'; readonly atMs: number }
  /** The caller's voice paused; `atMs` is its last frame. */
  | { readonly kind: 'voice_paused'; readonly atMs: number }
  /** The words of an utterance so far, which were asked for by `recognise`. Empty where there were none. */
  | { readonly kind: 'recognised'; readonly atMs: number; readonly utterance: number; readonly text: string }
  | { readonly kind: 'key'; readonly atMs: number; readonly key: string }
  /** The assistant begins to speak a turn. */
  | {
      readonly kind: 'playback_began';
      readonly atMs: number;
      /** How much of it cannot be interrupted, from its start: the disclosure, or all of it. */
      readonly protectedMs: number;
      readonly expects: Expectation;
    }
  /** All of it was played, or nothing was to be played. */
  | { readonly kind: 'playback_ended'; readonly atMs: number; readonly expects: Expectation }
  /** Time passes: at least every 40 ms. */
  | { readonly kind: 'tick'; readonly atMs: number };

export type AudioDecision =
  /** Recognise what the caller has said so far in this utterance. */
  | { readonly kind: 'recognise'; readonly utterance: number }
  /** The caller has finished: `text` is answered. `endedAtMs`: the last frame of voice. */
  | { readonly kind: 'take_turn'; readonly text: string; readonly startedAtMs: number; readonly endedAtMs: number }
  /** The caller has finished, and the words do not come: they are asked to say it again. */
  | { readonly kind: 'unrecognised'; readonly untilMs: number }
  /** Keys are answered: one, or the digits of a number. */
  | { readonly kind: 'take_keys'; readonly digits: string; readonly atMs: number }
  | { readonly kind: 'halve_volume' }
  | { readonly kind: 'stop_playback' }
  /** It was no interruption: go on at full volume, from the last word boundary where it was stopped. */
  | { readonly kind: 'resume_playback' }
  /** What was heard until then is not answered, and is no part of what is said next. */
  | { readonly kind: 'ignore'; readonly untilMs: number }
  /** What was stopped is not resumed: the caller has taken the turn. Told before `take_turn`. */
  | { readonly kind: 'drop_playback' }
  /** Nothing was heard for `silenceMs`. */
  | { readonly kind: 'silence'; readonly atMs: number };
