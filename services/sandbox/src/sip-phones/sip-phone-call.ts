import { type CallEnd, FRAME_SAMPLES, SAMPLE_RATE, type SipCall, type SipEndpoint } from '@parley/sip';
import { Playout } from '../audio/playout.ts';
import { resample } from '../audio/resample.ts';
import type { Sound } from '../audio/wav.ts';
import type { Channel } from '../switch/channel.ts';
import { pressKey } from '../switch/dtmf.ts';
import { hangup } from '../switch/hangup.ts';
import { causeOfRefusal } from '../switch/hangup-causes.ts';
import type { PhoneLink } from '../switch/phone-link.ts';
import { LiveAudio, watchMedia } from '../switch/live-audio.ts';

/** More than this of a live source is dropped, so that it does not lag behind. */
const LIVE_WAITING_MAX_MS = 400;

/** A call of the switch to a SIP address, with audio over RTP. */
export class SipPhoneCall implements PhoneLink {
  readonly isRealTime = true;
  readonly #channel: Channel;
  readonly #audio: LiveAudio;
  readonly #playout = new Playout(SAMPLE_RATE);
  #call: SipCall | undefined;
  #isConnected = false;
  #mediaWatch: { stop(): void } | undefined;

  constructor(channel: Channel) {
    this.#channel = channel;
    this.#audio = new LiveAudio(channel);
    channel.link = this;
  }

  /** Sends the INVITE; everything else reaches the channel. */
  async dial(endpoint: SipEndpoint, uri: string, onRinging: () => void): Promise<void> {
    const { caller } = this.#channel;
    try {
      this.#call = await endpoint.call(uri, {
        from: caller,
        headers: this.#channel.ownSipHeaders(),
        source: this.#playout,
        events: {
          progress: onRinging,
          answered: () => this.#answeredByPhone(),
          audio: ({ samples, lateMs }) => {
            if (this.#isConnected) this.#audio.hear(samples, lateMs);
          },
          key: (key) => pressKey(this.#channel, key, 'RTP'),
          ended: (end) => this.#endedByPhone(end),
        },
      });
    } catch {
      return hangup(this.#channel, 'NORMAL_TEMPORARY_FAILURE', 'party');
    }
    if (this.#channel.hungUp) this.#call.hangUp();
  }

  // Only for calls that come in.
  ringing(): void {}
  earlyMedia(): void {}
  answered(): void {}

  hungUp(): void {
    this.#end();
    this.#call?.hangUp();
  }

  play(source: string, sound: Sound, repeat?: 'repeat'): void {
    const samples = resample(sound, SAMPLE_RATE);
    if (repeat) this.#playout.loop(source, samples);
    else this.#playout.add(source, samples);
  }

  stopPlaying(source: string): void {
    this.#playout.stop(source);
  }

  /** A source that begins is delayed by a frame, because its timer and that of the sender have no order. */
  forward(source: string, samples: Int16Array): void {
    if (!this.#playout.has(source)) this.#playout.add(source, new Int16Array(FRAME_SAMPLES));
    this.#playout.add(source, samples, LIVE_WAITING_MAX_MS);
  }

  press(digit: string): void {
    this.#call?.press(digit).catch(() => undefined);
  }

  #answeredByPhone(): void {
    const channel = this.#channel;
    // It was cancelled, or another phone was faster.
    if (!channel.onAnswer) return this.#call?.hangUp();
    this.#isConnected = true;
    this.#mediaWatch = watchMedia(channel, () => this.#call?.silentMs ?? 0);
    channel.onAnswer();
  }

  #endedByPhone(end: CallEnd): void {
    this.#end();
    hangup(this.#channel, causeOf(end), 'party');
  }

  #end(): void {
    this.#isConnected = false;
    this.#mediaWatch?.stop();
  }
}

function causeOf({ reason, status }: CallEnd): string {
  switch (reason) {
    case 'refused':
      return causeOfRefusal(status ?? 0);
    case 'unreachable':
      return 'NORMAL_TEMPORARY_FAILURE';
    case 'silent':
      return 'MEDIA_TIMEOUT';
    default:
      return 'NORMAL_CLEARING';
  }
}
