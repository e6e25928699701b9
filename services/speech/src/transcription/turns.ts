import { resample } from '../audio/resample.ts';
import { SPEECH_RATE, toInt16 } from '../audio/speech-samples.ts';
import { readWav } from '../audio/wav.ts';
import { findSpeech } from './voice-activity.ts';

/** What one speaker says without a long pause. */
export interface Turn {
  readonly channel: number;
  readonly startMs: number;
  /** At `SPEECH_RATE`. */
  readonly samples: Int16Array;
}

export interface Turns {
  readonly channelCount: number;
  readonly durationMs: number;
  readonly turns: readonly Turn[];
}

/** Cuts a recording into what each speaker says; silence is left out. Undefined for what is not a WAV file. */
export function turnsOf({ wav }: { wav: Uint8Array }): Turns | undefined {
  const sound = readWav(wav);
  if (!sound) return undefined;
  const turns = sound.channels.flatMap((original, channel) => {
    const samples = resample(original, sound.rate, SPEECH_RATE);
    return findSpeech(samples).map(({ start, end }) => ({
      channel,
      startMs: Math.round((start * 1000) / SPEECH_RATE),
      samples: toInt16(samples.subarray(start, end)),
    }));
  });
  return {
    channelCount: sound.channels.length,
    durationMs: Math.round(((sound.channels[0]?.length ?? 0) * 1000) / sound.rate),
    turns: turns.toSorted((a, b) => a.startMs - b.startMs),
  };
}
