/** Telephone audio: 8 kHz, in frames of 20 ms. */
export const SAMPLE_RATE = 8000;
export const FRAME_MS = 20;
export const FRAME_SAMPLES = (SAMPLE_RATE * FRAME_MS) / 1000;

/** Where the audio to be sent comes from. */
export interface FrameSource {
  /** What it gives is being said now: after a delay of the process it is caught up. Other audio waits instead. */
  readonly isLive?: boolean;
  /** The next samples, silence where there is nothing to send. */
  take(length: number): Int16Array;
}
