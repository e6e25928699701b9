import { clampSample, decodeG711, encodeG711 } from '@parley/audio';
import { nextTurnIfDue } from '@parley/queues';
import { SAMPLE_RATE } from '@parley/sip';
import { resample } from '../audio/resample.ts';
import { isLoud } from '../audio/voice-activity.ts';
import { durationMs, type Sound } from '../audio/wav.ts';

/** What the phone said, and what it heard. */
export type Side = 'said' | 'heard';

/** The longest session of an assistant. */
const KEPT_MAX_MS = 30 * 60_000;
/** Frames follow each other although their times are not exact. */
const EXACT_MS = 12;
/** The same for a source that says nothing about them. */
const JITTER_MAX_MS = 150;
/** Frames that come faster than their time wait for each other up to this. */
const AHEAD_MAX_MS = 1000;
/** Live audio is kept as µ-law, in blocks of this length where there is any. */
const BLOCK = SAMPLE_RATE;
const SLICE_SECS = 10;

/** A sound that is being played, until it is stopped. */
export interface PlayingSound {
  /** How much of it was played, by its own time; undefined for a sound that repeats: up to now. */
  stop(playedMs: number | undefined): void;
}

/** A sound as it was played. */
interface Piece {
  readonly side: Side;
  readonly atMs: number;
  readonly sound: Sound;
  readonly lengthMs: number;
}

/**
 * Both sides of what a phone's user said and heard, from the answer on, in real time. What is played faster than in reality takes its own
 * duration here, for both sides: they stay aligned.
 */
export class LegAudio {
  /** Called with the number of bytes that came in addition. */
  onGrowth: (bytes: number) => void = () => undefined;
  #startedAt: number | undefined;
  #endedMs: number | undefined;
  /** By how much faster sounds have lengthened the time. */
  #addedMs = 0;
  #isForgotten = false;
  readonly #pieces: Piece[] = [];
  readonly #blocks: Record<Side, Map<number, Uint8Array>> = { said: new Map(), heard: new Map() };
  /** Where the last frame of each source ended, in samples. */
  readonly #ends = new Map<string, number>();
  readonly #playing = new Set<(playedMs: number | undefined) => void>();

  begin(): void {
    this.#startedAt ??= performance.now();
  }

  end(): void {
    for (const stop of this.#playing) stop(undefined);
    this.#endedMs ??= this.positionMs;
    this.#ends.clear();
  }

  get hasEnded(): boolean {
    return this.#endedMs !== undefined;
  }

  get hasBegun(): boolean {
    return this.#startedAt !== undefined;
  }

  /** Milliseconds since the answer. */
  get positionMs(): number {
    if (this.#endedMs !== undefined) return this.#endedMs;
    return this.#startedAt === undefined ? 0 : performance.now() - this.#startedAt + this.#addedMs;
  }

  /** A sound that begins now. */
  play(side: Side, sound: Sound): PlayingSound {
    const atMs = this.positionMs;
    const isAudible = this.hasBegun && !this.hasEnded;
    const stop = (playedMs: number | undefined) => {
      if (!this.#playing.delete(stop) || this.#isForgotten) return;
      const lengthMs = Math.min(playedMs ?? this.positionMs - atMs, KEPT_MAX_MS - atMs);
      if (lengthMs <= 0) return;
      this.#pieces.push({ side, atMs, sound, lengthMs });
      this.onGrowth(sound.samples.byteLength);
      this.#addedMs += Math.max(0, atMs + lengthMs - this.positionMs);
    };
    if (isAudible) this.#playing.add(stop);
    return { stop };
  }

  /** A frame of 8 kHz, as it comes from a source; `lateMs` after its time, if that is known. */
  addFrame(side: Side, source: string, samples: Int16Array, lateMs?: number): void {
    if (!this.hasBegun || this.hasEnded || this.#isForgotten) return;
    const now = Math.max(0, Math.round(((this.positionMs - (lateMs ?? 0)) / 1000) * SAMPLE_RATE));
    const key = `${side} ${source}`;
    const expected = this.#ends.get(key) ?? -Infinity;
    const aheadMs = ((expected - now) / SAMPLE_RATE) * 1000;
    // As a phone does, which uses a pause to catch up.
    if (aheadMs > EXACT_MS && aheadMs <= AHEAD_MAX_MS && !isLoud(samples)) return;
    const isNext = aheadMs >= -(lateMs === undefined ? JITTER_MAX_MS : EXACT_MS) && aheadMs <= AHEAD_MAX_MS;
    const start = isNext ? expected : now;
    this.#ends.set(key, start + samples.length);
    if (start + samples.length > (KEPT_MAX_MS / 1000) * SAMPLE_RATE || samples.every((sample) => sample === 0)) return;
    this.#mix(side, start, samples);
  }

  /** Nothing is kept any more. */
  forget(): void {
    this.#isForgotten = true;
    this.#pieces.length = 0;
    this.#blocks.said.clear();
    this.#blocks.heard.clear();
  }

  get isForgotten(): boolean {
    return this.#isForgotten;
  }

  /** One side, from one position to another; silence where there was nothing. */
  async samples(side: Side, fromMs: number, toMs: number): Promise<Int16Array> {
    const start = Math.round((fromMs / 1000) * SAMPLE_RATE);
    const samples = new Int16Array(Math.max(0, Math.round((toMs / 1000) * SAMPLE_RATE) - start));
    for (const [index, block] of this.#blocks[side]) addInto(samples, decodeG711('PCMU', block), index * BLOCK - start);
    for (const piece of this.#pieces) {
      if (piece.side !== side) continue;
      const at = Math.round((piece.atMs / 1000) * SAMPLE_RATE) - start;
      await addPiece(samples, piece, at);
    }
    return samples;
  }

  #mix(side: Side, start: number, samples: Int16Array): void {
    for (let at = 0; at < samples.length;) {
      const index = Math.floor((start + at) / BLOCK);
      const offset = start + at - index * BLOCK;
      const part = samples.subarray(at, at + BLOCK - offset);
      let block = this.#blocks[side].get(index);
      if (!block) {
        block = new Uint8Array(BLOCK).fill(0xff);
        this.#blocks[side].set(index, block);
        this.onGrowth(BLOCK);
      }
      const before = decodeG711('PCMU', block.subarray(offset, offset + part.length));
      addInto(before, part, 0);
      block.set(encodeG711('PCMU', before), offset);
      at += part.length;
    }
  }
}

/** A sound that was stopped before its end is cut, one that lasted longer repeats. */
async function addPiece(samples: Int16Array, { sound, lengthMs }: Piece, at: number): Promise<void> {
  const length = Math.round((lengthMs / 1000) * SAMPLE_RATE);
  const repeatMs = durationMs(sound);
  if (repeatMs <= 0) return;
  const slice = SLICE_SECS * sound.sampleRate;
  for (let repeated = 0; repeated * repeatMs < lengthMs; repeated += 1) {
    for (let from = 0; from < sound.samples.length; from += slice) {
      const offset = Math.round(
        (((repeated * repeatMs) / 1000) * sound.sampleRate + from) * (SAMPLE_RATE / sound.sampleRate),
      );
      if (offset >= length || at + offset >= samples.length) return;
      const { sampleRate } = sound;
      const part = resample({ samples: sound.samples.subarray(from, from + slice), sampleRate }, SAMPLE_RATE);
      addInto(samples, part.subarray(0, length - offset), at + offset);
      await nextTurnIfDue();
    }
  }
}

function addInto(samples: Int16Array, more: Int16Array, at: number): void {
  for (let index = Math.max(0, -at); index < more.length && at + index < samples.length; index += 1) {
    samples[at + index] = clampSample(samples[at + index]! + more[index]!);
  }
}
