import { SAMPLE_RATE } from '@parley/sip';
import { isLoud, VoiceActivity } from '../audio/voice-activity.ts';
import type { Sound } from '../audio/wav.ts';
import type { Channel } from './channel.ts';
import { listenersOf } from './eavesdrop.ts';
import { hangup } from './hangup.ts';

const MEDIA_CHECK_MS = 500;

/** Passes a frame of a phone on to the phones that hear it, `lateMs` after its time if that is known. */
export function forwardFrame(channel: Channel, samples: Int16Array, lateMs?: number): void {
  channel.leg.audio.addFrame('said', channel.uuid, samples, lateMs);
  for (const { leg, link } of listenersOf(channel)) {
    leg.audio.addFrame('heard', channel.uuid, samples, lateMs);
    link?.forward(channel.uuid, samples);
    // What comes over RTP has no text; the utterances of browsers are in recordings only. A customer's phone with a microphone is simulated all the same.
    if (channel.link?.isRealTime && (!link || leg.owner.kind === 'external'))
      leg.hearsFrame(channel.uuid, isLoud(samples), channel.core.clock.now());
  }
}

/** Adds a frame of a phone to the recordings of this leg and of the legs that hear it. */
export function recordFrame(channel: Channel, utterance: string, frame: Sound): void {
  for (const recording of channel.recordings.values()) recording.addLive('sent', utterance, frame);
  for (const { recordings } of listenersOf(channel)) {
    for (const recording of recordings.values()) recording.addLive('received', utterance, frame);
  }
}

/** What a real phone sends continuously: others hear all of it, recordings contain its utterances. */
export class LiveAudio {
  readonly #channel: Channel;
  readonly #speech = new VoiceActivity(SAMPLE_RATE);

  constructor(channel: Channel) {
    this.#channel = channel;
  }

  /** A frame of 8 kHz. */
  hear(samples: Int16Array, lateMs?: number): void {
    forwardFrame(this.#channel, samples, lateMs);
    for (const frame of this.#speech.pass(samples)) {
      const utterance = `${this.#channel.uuid}/${this.#speech.utterances}`;
      recordFrame(this.#channel, utterance, { samples: frame, sampleRate: SAMPLE_RATE });
    }
  }
}

/** Ends the leg with MEDIA_TIMEOUT when its phone sends nothing for as long as the variable `media_timeout` says. */
export function watchMedia(channel: Channel, silentMs: () => number): { stop(): void } {
  const limitMs = Number(channel.variable('media_timeout') ?? 0);
  if (!(limitMs > 0)) return { stop: () => undefined };
  const check = setInterval(() => {
    if (silentMs() > limitMs) hangup(channel, 'MEDIA_TIMEOUT', 'switch');
  }, MEDIA_CHECK_MS);
  return { stop: () => clearInterval(check) };
}
