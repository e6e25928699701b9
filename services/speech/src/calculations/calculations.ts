import { keySentences, sentencesOf } from '../summaries/key-sentences.ts';
import { speechOfSamples, speechOfWav } from '../synthesis/speech-of-samples.ts';
import { channelsOf } from '../transcription/channels.ts';
import { speakerTurnsIn } from '../transcription/speaker-turns.ts';

/** Calculations that take too long for the event loop; they run in a thread. */
export const calculations = { channelsOf, keySentences, sentencesOf, speakerTurnsIn, speechOfSamples, speechOfWav };

export type CalculationName = keyof typeof calculations;

export interface CalculationJob {
  readonly name: CalculationName;
  readonly input: unknown;
}
