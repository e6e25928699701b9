import { resample } from '../audio/resample.ts';
import { SPEECH_RATE, toInt16 } from '../audio/speech-samples.ts';
import { readWav, writeWav } from '../audio/wav.ts';
import { findSpeech } from './voice-activity.ts';

export interface Channels {
  readonly channelCount: number;
  readonly durationMs: number;
  /** A WAV file for each channel on which somebody speaks. */
  readonly spoken: readonly { readonly channel: number; readonly wav: Uint8Array }[];
}

/** Takes a recording apart into its speakers. Undefined for what is not a WAV file. */
export function channelsOf({ wav }: { wav: Uint8Array }): Channels | undefined {
  const sound = readWav(wav);
  if (!sound) return undefined;
  return {
    channelCount: sound.channels.length,
    durationMs: Math.round(((sound.channels[0]?.length ?? 0) * 1000) / sound.rate),
    spoken: sound.channels.flatMap((original, channel) => {
      const samples = resample(original, sound.rate, SPEECH_RATE);
      return findSpeech(samples).length === 0 ? [] : [{ channel, wav: writeWav(toInt16(samples), SPEECH_RATE) }];
    }),
  };
}
