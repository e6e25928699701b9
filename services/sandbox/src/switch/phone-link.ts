import type { Sound } from '../audio/wav.ts';

/** The connection from a channel to a real phone, such as a browser. The simulated phones have none. */
export interface PhoneLink {
  /** The called party's phone is ringing. */
  ringing(): void;
  /** Audio before the answer. */
  earlyMedia(): void;
  answered(): void;
  /** The channel has ended, unless the phone did that itself. */
  hungUp(cause: string): void;
  /** Sound for the phone, from now on in real time; `source` is who makes it. */
  play(source: string, sound: Sound, repeat?: 'repeat'): void;
  stopPlaying(source: string): void;
  /** A frame of another real phone, as it comes. */
  forward(source: string, samples: Int16Array): void;
}
