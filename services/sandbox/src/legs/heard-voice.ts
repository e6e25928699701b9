import { SAMPLE_RATE } from '@parley/sip';
import type { Sound } from '../audio/wav.ts';
import type { LegAudio } from './leg-audio.ts';

/** Finds the words in a sound. */
export type Recognise = (sound: Sound) => Promise<string>;

/** A pause that is longer than this ends an utterance. */
const PAUSE_FRAMES = 25;
/** The same for a source that sends nothing any more. */
const GONE_MS = 600;
/** Words begin and end softly. */
const AROUND_MS = 200;
/** The speech service takes a minute at once. */
const LENGTH_MAX_MS = 60_000;

/** An utterance that a phone heard as audio. */
export class HeardVoice {
  readonly kind = 'voice';
  readonly startedAt: Date;
  endedAt: Date | null = null;
  /** Null until it has been recognised. */
  text: string | null = null;
  readonly #audio: LegAudio;
  readonly #fromMs: number;
  #toMs: number;
  #lastLoudAt: Date;
  #quietFrames = 0;
  #lastFrameAt = performance.now();
  #recognition: Promise<void> | undefined;

  constructor(audio: LegAudio, at: Date) {
    this.#audio = audio;
    this.startedAt = at;
    this.#lastLoudAt = at;
    this.#fromMs = audio.positionMs;
    this.#toMs = this.#fromMs;
  }

  /** The next frame; false when the utterance has ended before it. */
  frame(isLoud: boolean, at: Date): boolean {
    this.settle();
    if (this.endedAt !== null) return false;
    this.#lastFrameAt = performance.now();
    this.#quietFrames = isLoud ? 0 : this.#quietFrames + 1;
    if (isLoud) {
      this.#lastLoudAt = at;
      this.#toMs = this.#audio.positionMs;
    } else if (this.#quietFrames > PAUSE_FRAMES) this.end();
    return this.endedAt === null;
  }

  /** Ends it when its source has stopped to send. */
  settle(): void {
    if (performance.now() - this.#lastFrameAt > GONE_MS) this.end();
  }

  end(): void {
    this.endedAt ??= this.#lastLoudAt;
  }

  /** Finds out what was said, once it has ended; a failure leaves it to the next request. */
  recognise(recognise: Recognise): Promise<void> {
    if (this.endedAt === null || this.text !== null || this.#audio.isForgotten) return Promise.resolve();
    this.#recognition ??= this.#recognise(recognise).finally(() => (this.#recognition = undefined));
    return this.#recognition;
  }

  async #recognise(recognise: Recognise): Promise<void> {
    const fromMs = Math.max(0, this.#fromMs - AROUND_MS);
    const toMs = Math.min(this.#toMs + AROUND_MS, fromMs + LENGTH_MAX_MS);
    const samples = await this.#audio.samples('heard', fromMs, toMs);
    this.text = await recognise({ samples, sampleRate: SAMPLE_RATE });
  }
}
