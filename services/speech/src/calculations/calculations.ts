import { keySentences } from '../summaries/key-sentences.ts';
import { sentencesOf } from '../summaries/sentences-of.ts';
import { speechOfSamples, speechOfWav } from '../synthesis/speech-of-samples.ts';
import { channelsOf } from '../transcription/channels.ts';
import { packsOf } from '../transcription/packs.ts';

/** Work on numbers and words that takes too long for the event loop; done in a thread. */
export const calculations = { channelsOf, keySentences, packsOf, sentencesOf, speechOfSamples, speechOfWav };

export type CalculationName = keyof typeof calculations;

export interface CalculationJob {
  readonly name: CalculationName;
  readonly input: unknown;
}
