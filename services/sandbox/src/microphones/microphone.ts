import { BrowserMedia } from '../browser-phones/browser-media.ts';
import type { Sound } from '../audio/wav.ts';
import type { Channel } from '../switch/channel.ts';
import { pressKey } from '../switch/dtmf.ts';
import { LiveAudio } from '../switch/live-audio.ts';
import type { PhoneLink } from '../switch/phone-link.ts';

/** On a busy machine the connection takes its time. */
const FIRST_AUDIO_MS = 15_000;
/** A browser sends audio continuously: after this it is gone. */
const SILENT_MS_MAX = 5000;
const CHECK_MS = 1000;

/** A browser in place of a simulated phone: its microphone speaks on the leg, its speaker plays what the leg hears. */
export class Microphone implements PhoneLink {
  readonly isRealTime = true;
  readonly #channel: Channel;
  readonly #media: BrowserMedia;
  readonly #check: NodeJS.Timeout;

  constructor(channel: Channel) {
    this.#channel = channel;
    const audio = new LiveAudio(channel);
    this.#media = new BrowserMedia({
      frame: (samples) => {
        if (channel.link === this && channel.hasMedia) audio.hear(samples);
      },
      digit: (digit) => pressKey(channel, digit, 'RTP'),
    });
    channel.link = this;
    channel.core.onDeath(() => this.detach());
    const firstExpectedAt = performance.now() + FIRST_AUDIO_MS;
    this.#check = setInterval(() => {
      if (performance.now() - (this.#media.receivedAt ?? firstExpectedAt) > SILENT_MS_MAX) this.detach();
    }, CHECK_MS).unref();
  }

  /** The answer to what the browser offers. */
  answer(offer: string): Promise<string> {
    return this.#media.answer(offer);
  }

  /** The simulated phone goes on. */
  detach(): void {
    if (this.#channel.link === this) this.#channel.link = undefined;
    clearInterval(this.#check);
    this.#media.close().catch(() => undefined);
  }

  hungUp(): void {
    this.detach();
  }

  play(source: string, sound: Sound, repeat?: 'repeat'): void {
    this.#media.play(source, sound, repeat);
  }

  stopPlaying(source: string): void {
    this.#media.stopPlaying(source);
  }

  forward(source: string, samples: Int16Array): void {
    this.#media.forward(source, samples);
  }

  // The phone is in its call already, and browsers have no use for the keys of others.
  ringing(): void {}
  earlyMedia(): void {}
  answered(): void {}
  press(): void {}
}
