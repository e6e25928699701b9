import type { Sound } from '../audio/wav.ts';

/** The connection from a channel to a real phone, such as a browser. The simulated phones have none. */
export interface PhoneLink {
  /** Its audio is in real time whatever the clock does, and so is what is said to it. */
  readonly isRealTime: boolean;
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
  /** A key that was pressed at the phone it is connected with. */
  press(digit: string): void;
  /** A frame of another phone, as it comes. */
  forward(source: string, samples: Int16Array): void;
}
