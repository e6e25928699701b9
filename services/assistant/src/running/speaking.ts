import type { Clip } from '@parley/sip';
import type { Sentence } from '../engine/engine.ts';
import type { TurnItem } from '../sessions/session-item.ts';
import type { LoggedItem } from './item-log.ts';
import { type Filler, type SentenceAudio, TurnPlayback } from './turn-playback.ts';
import { speakTurn, type TurnSpeech, type TurnSpeechDeps } from './turn-speech.ts';

/** What the assistant says now: one turn after the other. */
export class Speaking {
  readonly #deps: TurnSpeechDeps;
  readonly #over: AbortSignal;
  #playback: TurnPlayback | undefined;
  /** Until the first frame of it was played. */
  #item: LoggedItem<TurnItem> | undefined;
  /** What the caller said last ended here, until the answer is heard. */
  #askedAtMs: number | undefined;
  /** What was heard of a turn that the caller interrupted. */
  #interrupted: string | undefined;

  constructor(deps: TurnSpeechDeps, over: AbortSignal) {
    this.#deps = deps;
    this.#over = over;
  }

  get isSpeaking(): boolean {
    return this.#playback !== undefined;
  }

  /** The caller has said something until then, in the session's audio. */
  asked(atMs: number): void {
    this.#askedAtMs = atMs;
  }

  /** What the caller heard of the turn that was interrupted; once. */
  takeInterrupted(): string | undefined {
    const spoken = this.#interrupted;
    this.#interrupted = undefined;
    return spoken;
  }

  begin(filler: Filler | undefined): TurnSpeech {
    const on = {
      begun: (playback: TurnPlayback, item: LoggedItem<TurnItem>) => {
        this.#playback = playback;
        this.#item = item;
        if (this.#over.aborted) playback.drop();
      },
      over: (playback: TurnPlayback) => {
        this.#playback = undefined;
        if (playback.isDropped) this.#interrupted = playback.spoken;
      },
    };
    return speakTurn(this.#deps, on, filler);
  }

  /** A sentence that is no turn: the caller does not hear it. */
  async speakAside(sentence: Sentence, audio: SentenceAudio): Promise<void> {
    const playback = new TurnPlayback(this.#deps.playout, audio);
    this.#playback = playback;
    playback.add(sentence);
    playback.finish();
    await playback.over;
  }

  /** A frame was played: the first one of a turn says how long the caller has waited. */
  onFrame(): void {
    const item = this.#item;
    if (!item || !this.#playback?.hasBegun) return;
    const { clock, audioMs } = this.#deps;
    this.#item = undefined;
    const responseMs = this.#askedAtMs === undefined ? null : Math.round(audioMs() - this.#askedAtMs);
    this.#askedAtMs = undefined;
    item.change({ startedAt: clock.now(), responseMs });
  }

  onPlayed(clip: Clip): void {
    this.#playback?.onPlayed(clip);
  }

  stop(): void {
    this.#playback?.stop();
  }

  resume(): void {
    this.#playback?.resume();
  }

  drop(): void {
    this.#playback?.drop();
  }
}
