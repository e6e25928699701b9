import { FRAME_SAMPLES, type FrameSource, SAMPLE_RATE } from './frames.ts';

/** Limits the memory of one piece of speech. */
const CLIP_MAX_SECS = 300;
/** Sound that stops within less than this clicks. */
const FADE_SAMPLES = FRAME_SAMPLES / 2;

/** Audio that is played from its beginning to its end, unless it is stopped. It may arrive while it is played. */
export interface Clip {
  /** `waiting` for those before it; `played` completely, or `stopped` before. */
  readonly state: 'waiting' | 'playing' | 'played' | 'stopped';
  /** How much of it has been sent, after a resumption counted from the beginning of the clip. */
  readonly playedMs: number;
  /** How much of it there is so far. */
  readonly lengthMs: number;
  /** Adds samples of 8 kHz. */
  append(samples: Int16Array): void;
  /** Nothing more comes. Until then the clip is not over: it continues with what comes. */
  finish(): void;
}

/** The audio of one speaker, clip by clip. It stops within a frame, and can be made softer and resumed. */
export class PlayoutQueue implements FrameSource {
  readonly #onPlayed: (clip: Clip) => void;
  #clips: QueuedClip[] = [];
  #volume = 1;
  #wantedVolume = 1;
  /** The end of a clip that was stopped. */
  #fading: Int16Array | undefined;

  /** `onPlayed` is called when a clip has been sent completely. */
  constructor(onPlayed: (clip: Clip) => void = () => undefined) {
    this.#onPlayed = onPlayed;
  }

  /** Plays after what is there already. With samples the clip is complete; without, they are appended. */
  play(samples?: Int16Array): Clip {
    const clip = new QueuedClip();
    if (samples) {
      clip.append(samples);
      clip.finish();
    }
    this.#clips.push(clip);
    return clip;
  }

  /** Plays a complete clip before what waits. */
  playFirst(samples: Int16Array): Clip {
    const clip = this.play(samples);
    this.#clips.unshift(...this.#clips.splice(-1));
    return clip;
  }

  /** Stops everything, within a frame; what was being played, which can be resumed. */
  stop(): Clip | undefined {
    const clips = this.#clips;
    this.#clips = [];
    const [current] = clips;
    if (current?.state === 'playing') this.#fading = faded(current.peek(FADE_SAMPLES), this.#volume);
    for (const clip of clips) clip.state = 'stopped';
    return current?.playedMs ? current : undefined;
  }

  /** Plays a stopped clip before everything else, from a position: that of the last word, for example. */
  resume(clip: Clip, fromMs: number = clip.playedMs): void {
    if (!(clip instanceof QueuedClip) || clip.state !== 'stopped') return;
    clip.seek(fromMs);
    clip.state = 'waiting';
    this.#fading = undefined;
    this.#clips.unshift(clip);
  }

  /** From 0 to 1; reached within a frame, and kept for what follows. */
  setVolume(volume: number): void {
    this.#wantedVolume = Math.max(0, Math.min(1, volume));
  }

  /** True while there is something to send. */
  get isPlaying(): boolean {
    return this.#clips.length > 0;
  }

  take(length: number): Int16Array {
    const frame = new Int16Array(length);
    let filled = this.#takeFading(frame);
    const faded = filled;
    while (filled < length) {
      const [clip] = this.#clips;
      if (!clip) break;
      clip.state = 'playing';
      const samples = clip.take(length - filled);
      frame.set(samples, filled);
      filled += samples.length;
      if (!clip.isOver) {
        if (samples.length === 0) break;
        continue;
      }
      this.#clips.shift();
      clip.state = 'played';
      this.#onPlayed(clip);
    }
    this.#applyVolume(frame.subarray(faded));
    return frame;
  }

  #takeFading(frame: Int16Array): number {
    const fading = this.#fading?.subarray(0, frame.length);
    this.#fading = undefined;
    if (fading) frame.set(fading);
    return fading?.length ?? 0;
  }

  #applyVolume(samples: Int16Array): void {
    const [from, to] = [this.#volume, this.#wantedVolume];
    this.#volume = to;
    if (from === 1 && to === 1) return;
    samples.forEach((sample, at) => {
      samples[at] = Math.round(sample * (from + ((to - from) * (at + 1)) / samples.length));
    });
  }
}

class QueuedClip implements Clip {
  state: Clip['state'] = 'waiting';
  #samples = new Int16Array(SAMPLE_RATE);
  #length = 0;
  #position = 0;
  #isFinished = false;

  get playedMs(): number {
    return (this.#position / SAMPLE_RATE) * 1000;
  }

  get lengthMs(): number {
    return (this.#length / SAMPLE_RATE) * 1000;
  }

  get isOver(): boolean {
    return this.#isFinished && this.#position >= this.#length;
  }

  append(samples: Int16Array): void {
    if (this.#isFinished) throw new Error('the clip is complete');
    const length = this.#length + samples.length;
    if (length > CLIP_MAX_SECS * SAMPLE_RATE) throw new RangeError('the clip is too long');
    if (length > this.#samples.length) {
      const larger = new Int16Array(Math.max(length, this.#samples.length * 2));
      larger.set(this.#samples.subarray(0, this.#length));
      this.#samples = larger;
    }
    this.#samples.set(samples, this.#length);
    this.#length = length;
  }

  finish(): void {
    this.#isFinished = true;
  }

  seek(ms: number): void {
    this.#position = Math.max(0, Math.min(this.#length, Math.round((ms / 1000) * SAMPLE_RATE)));
  }

  peek(length: number): Int16Array {
    return this.#samples.subarray(this.#position, Math.min(this.#length, this.#position + length));
  }

  take(length: number): Int16Array {
    const samples = this.peek(length);
    this.#position += samples.length;
    return samples;
  }
}

function faded(samples: Int16Array, volume: number): Int16Array {
  return samples.map((sample, at) => Math.round(sample * volume * (1 - (at + 1) / samples.length)));
}
