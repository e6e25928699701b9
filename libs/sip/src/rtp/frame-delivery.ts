import { FRAME_MS } from '../audio/frames.ts';
import type { JitterBuffer, ReceivedFrame } from './jitter-buffer.ts';

/** A moment without packets that is waited for. */
const HELD_MAX_FRAMES = 5;
const OWED_MAX_FRAMES = 50;

/** 20 ms of what the other side sent. */
export interface AudioFrame extends ReceivedFrame {
  /** How much later it is delivered than its time: frames that were waited for come several at once. */
  readonly lateMs: number;
}

/**
 * Delivers a frame every 20 ms, and more when the buffer has what could not be delivered before. A moment without packets is waited for:
 * silence in the middle of a word would be worse than the same word a little later.
 */
export class FrameDelivery {
  readonly #buffer: JitterBuffer;
  readonly #deliver: (frame: AudioFrame) => void;
  #owed = 0;
  #held = 0;

  constructor(buffer: JitterBuffer, deliver: (frame: AudioFrame) => void) {
    this.#buffer = buffer;
    this.#deliver = deliver;
  }

  /** Called every 20 ms; `skipped`: how often it was not, because the process was busy, and `lateMs`: how late it is now. */
  tick(skipped: number, lateMs: number): void {
    this.#owed = Math.min(OWED_MAX_FRAMES, this.#owed + skipped);
    if (this.#buffer.waitingFrames > 0) this.#held = 0;
    else if (this.#held < HELD_MAX_FRAMES) {
      this.#held += 1;
      this.#owed += 1;
      return;
    }
    const frames = [this.#buffer.take()];
    for (; this.#owed > 0 && this.#buffer.hasMoreThanDelay; this.#owed -= 1) frames.push(this.#buffer.takeEarlier());
    frames.forEach((frame, at) => {
      this.#deliver({ ...frame, lateMs: lateMs + (frames.length - 1 - at) * FRAME_MS });
    });
  }
}
