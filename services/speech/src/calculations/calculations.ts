import { speechSamples } from '../audio/speech-samples.ts';
import { readWav } from '../audio/wav.ts';
import { keySentences } from '../summaries/key-sentences.ts';
import { sentencesOf } from '../summaries/sentences-of.ts';
import { channelsOf } from '../transcription/channels.ts';
import { packsOf } from '../transcription/packs.ts';

/** Plain work on numbers and words that is too long for the event loop; done in a thread. */
export const calculations = {
  speechOfSamples: ({ samples, rate }: { samples: Int16Array; rate: number }): Int16Array =>
    speechSamples(
      Float32Array.from(samples, (sample) => sample / 32_768),
      rate,
    ),
  speechOfWav: ({ wav }: { wav: Uint8Array }): Int16Array | undefined => {
    const sound = readWav(wav);
    return sound && speechSamples(sound.channels[0]!, sound.rate);
  },
  packsOf,
  channelsOf,
  sentencesOf,
  keySentences,
};

export type CalculationName = keyof typeof calculations;
export type CalculationInput<Name extends CalculationName> = Parameters<(typeof calculations)[Name]>[0];
export type CalculationResult<Name extends CalculationName> = ReturnType<(typeof calculations)[Name]>;

export interface CalculationJob {
  readonly name: CalculationName;
  readonly input: unknown;
}
