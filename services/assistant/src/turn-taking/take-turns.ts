import type { Expectation } from '../engine/engine.ts';
import type { AudioDecision, AudioEvent } from './turn-taking.ts';

/** What turn taking asks about words. */
export interface TurnWords {
  /** Words of somebody who listens: "mm-hm", "okay". */
  isBackchannel(text: string): boolean;
  /** The sentence cannot end there: "my number is", "and", "uh". */
  isUnfinished(text: string): boolean;
  /** A question that is complete. */
  isQuestion(text: string): boolean;
}

export interface TurnTakingOptions {
  readonly words: TurnWords;
  /** The silence after which the assistant asks again. */
  readonly silenceMs: number;
}

/** What the caller has said since the last turn was taken. */
interface Utterance {
  readonly id: number;
  readonly startedMs: number;
  /** The last frame of voice; null while the caller speaks. */
  readonly pausedMs: number | null;
  /** Since when the caller has been speaking without a pause. */
  readonly voiceMs: number;
  /** Null until it is recognised up to the present pause. */
  readonly text: string | null;
}

interface Playback {
  readonly startedMs: number;
  readonly protectedMs: number;
  readonly volume: 'full' | 'halved' | 'stopped';
}

/** Plain data: every decision follows from it and from the next event. */
export interface TurnTakingState {
  readonly nextUtterance: number;
  readonly utterance: Utterance | null;
  readonly playback: Playback | null;
  /** A turn was taken, and its answer is not heard yet. */
  readonly isAnswering: boolean;
  readonly expects: Expectation;
  /** Keys of a number that is being keyed in. */
  readonly keys: string;
  readonly keyMs: number;
  readonly quietSinceMs: number;
}

export const initialTurnTaking: TurnTakingState = {
  nextUtterance: 1,
  utterance: null,
  playback: null,
  isAnswering: true,
  expects: 'anything',
  keys: '',
  keyMs: 0,
  quietSinceMs: 0,
};

const HALVE_MS = 120;
/** With the way of the audio to and fro, the caller is alone after 350 ms. */
const STOP_MS = 250;
/** After an interruption whose words do not come: the recogniser was too slow, or there are none. */
const WORDS_MS_MAX = 1500;
/** The caller has finished, and hears something within four seconds, with words or without. */
const WORDS_LATE_MS = 3000;
/** Between the keys of a number. */
const KEYS_MS_MAX = 3000;
/** A single 0 may be the first key of a number. */
const ZERO_MS_MAX = 1500;
const DIGITS_MAX = 20;

/** How long a pause ends the turn, by what was asked and how the sentence stands. */
const PAUSE_MS = {
  complete: 400,
  usual: 600,
  dictated: { number: 1300, name: 900, message: 1300, when: 900 } as Partial<Record<Expectation, number>>,
  unfinished: 1300,
};

type Step = { state: TurnTakingState; decisions: AudioDecision[] };

export function takeTurns(
  options: TurnTakingOptions,
  state: TurnTakingState,
  event: AudioEvent,
): { readonly state: TurnTakingState; readonly decisions: readonly AudioDecision[] } {
  const step: Step = { state, decisions: [] };
  apply(options, step, event);
  passTime(options, step, event.atMs);
  return step;
}

function apply({ words }: TurnTakingOptions, step: Step, event: AudioEvent): void {
  const { state } = step;
  switch (event.kind) {
    case 'voice_began':
      return voiceBegan(step, event.atMs);
    case 'voice_paused': {
      if (!state.utterance) return;
      change(step, { utterance: { ...state.utterance, pausedMs: event.atMs, text: null } });
      step.decisions.push({ kind: 'recognise', utterance: state.utterance.id });
      return;
    }
    case 'recognised':
      if (state.utterance?.id !== event.utterance || state.utterance.pausedMs === null) return;
      return recognised(words, step, state.utterance, event.text.trim());
    case 'key':
      return keyPressed(step, event.key, event.atMs);
    case 'playback_began': {
      const startedMs = state.playback?.startedMs ?? event.atMs;
      const volume = state.playback?.volume ?? 'full';
      const playback = { startedMs, protectedMs: event.protectedMs, volume };
      return change(step, { playback, expects: event.expects, isAnswering: false });
    }
    case 'playback_ended':
      return change(step, {
        playback: null,
        expects: event.expects,
        isAnswering: false,
        quietSinceMs: Math.max(state.quietSinceMs, event.atMs),
      });
    case 'tick':
      return;
  }
}

function voiceBegan(step: Step, atMs: number): void {
  const { utterance, nextUtterance } = step.state;
  if (utterance) return change(step, { utterance: { ...utterance, pausedMs: null, voiceMs: atMs, text: null } });
  const begun = { id: nextUtterance, startedMs: atMs, pausedMs: null, voiceMs: atMs, text: null };
  change(step, { utterance: begun, nextUtterance: nextUtterance + 1 });
}

function recognised(words: TurnWords, step: Step, utterance: Utterance, text: string): void {
  const { playback, expects } = step.state;
  // "Yes" answers the question that is still being asked.
  const isAnswer = expects === 'yes_no' || expects === 'choice';
  const isIgnored = text === '' || (playback !== null && !isAnswer && words.isBackchannel(text));
  if (!isIgnored) return change(step, { utterance: { ...utterance, text } });
  const quietSinceMs = utterance.pausedMs ?? step.state.quietSinceMs;
  change(step, text === '' ? {} : { quietSinceMs });
  ignore(step, quietSinceMs);
  resume(step);
}

/** 0 leads to the fallback unless it is a digit of a number; other keys count only where a number was asked for. */
function keyPressed(step: Step, key: string, atMs: number): void {
  const { keys, expects } = step.state;
  if (expects !== 'number') {
    if (key === '0') takeKeys(step, '0', atMs);
    return;
  }
  if (key === '#') {
    if (keys !== '') takeKeys(step, keys, atMs);
    return;
  }
  if (!/^\d$/.test(key) || keys.length >= DIGITS_MAX) return;
  dropPlayback(step);
  change(step, { keys: keys + key, keyMs: atMs });
}

function takeKeys(step: Step, digits: string, atMs: number): void {
  dropPlayback(step);
  change(step, { keys: '', isAnswering: true });
  if (step.state.utterance) ignore(step, atMs);
  step.decisions.push({ kind: 'take_keys', digits, atMs });
}

/** What follows from the time alone. */
function passTime(options: TurnTakingOptions, step: Step, nowMs: number): void {
  const { keys, keyMs } = step.state;
  if (keys !== '' && nowMs - keyMs >= (keys === '0' ? ZERO_MS_MAX : KEYS_MS_MAX)) takeKeys(step, keys, nowMs);
  const { utterance } = step.state;
  if (utterance) {
    interrupt(step, utterance, nowMs);
    return endTurn(options.words, step, utterance, nowMs);
  }
  const { playback, isAnswering, quietSinceMs } = step.state;
  if (playback || isAnswering || step.state.keys !== '' || nowMs - quietSinceMs < options.silenceMs) return;
  change(step, { quietSinceMs: nowMs });
  step.decisions.push({ kind: 'silence', atMs: nowMs });
}

/** The caller speaks while the assistant does: first it is softer, then silent; without words it goes on. */
function interrupt(step: Step, utterance: Utterance, nowMs: number): void {
  const { playback } = step.state;
  if (!playback || isProtected(playback, nowMs)) return;
  const { voiceMs, pausedMs, text } = utterance;
  if (pausedMs !== null) {
    // Words that come later are part of what is said next.
    if (text === null && nowMs - pausedMs >= WORDS_MS_MAX) {
      change(step, { utterance: null });
      resume(step);
    }
    return;
  }
  const spokenMs = nowMs - Math.max(voiceMs, playback.startedMs);
  if (spokenMs >= STOP_MS && playback.volume !== 'stopped') {
    change(step, { playback: { ...playback, volume: 'stopped' } });
    step.decisions.push({ kind: 'stop_playback' });
  } else if (spokenMs >= HALVE_MS && playback.volume === 'full') {
    change(step, { playback: { ...playback, volume: 'halved' } });
    step.decisions.push({ kind: 'halve_volume' });
  }
}

function endTurn(words: TurnWords, step: Step, utterance: Utterance, nowMs: number): void {
  const { playback, expects } = step.state;
  const { pausedMs, text, startedMs } = utterance;
  if (pausedMs === null) return;
  if (text === null) {
    if (playback || nowMs - pausedMs < WORDS_LATE_MS) return;
    change(step, { utterance: null, isAnswering: true, quietSinceMs: pausedMs });
    step.decisions.push({ kind: 'unrecognised', untilMs: pausedMs });
    return;
  }
  // What is said while nobody may interrupt is answered after it.
  if (playback && isProtected(playback, nowMs)) return;
  dropPlayback(step);
  if (nowMs - pausedMs < pauseMs(words, text, expects)) return;
  change(step, { utterance: null, isAnswering: true, quietSinceMs: pausedMs });
  step.decisions.push({ kind: 'take_turn', text, startedAtMs: startedMs, endedAtMs: pausedMs });
}

function pauseMs(words: TurnWords, text: string, expects: Expectation): number {
  if (words.isUnfinished(text)) return PAUSE_MS.unfinished;
  const dictated = PAUSE_MS.dictated[expects];
  if (dictated !== undefined) return dictated;
  return expects === 'yes_no' || expects === 'choice' || words.isQuestion(text) ? PAUSE_MS.complete : PAUSE_MS.usual;
}

const isProtected = ({ startedMs, protectedMs }: Playback, nowMs: number): boolean => nowMs - startedMs < protectedMs;

function dropPlayback(step: Step): void {
  if (!step.state.playback) return;
  change(step, { playback: null });
  step.decisions.push({ kind: 'drop_playback' });
}

function ignore(step: Step, untilMs: number): void {
  change(step, { utterance: null });
  step.decisions.push({ kind: 'ignore', untilMs });
}

function resume(step: Step): void {
  const { playback } = step.state;
  if (!playback || playback.volume === 'full') return;
  change(step, { playback: { ...playback, volume: 'full' } });
  step.decisions.push({ kind: 'resume_playback' });
}

function change(step: Step, fields: Partial<TurnTakingState>): void {
  step.state = { ...step.state, ...fields };
}
