import { SPEECH_RATE } from '../../src/audio/speech-samples.ts';
import type { Engines } from '../../src/engines.ts';
import { patient } from '../open-test-engines.ts';
import { spokenSentences } from '../spoken/spoken-sentences.ts';
import { overTelephone, RECORDED_WORDS, recordedSpeech } from '../spoken/telephone.ts';

export interface Spoken {
  readonly kind: string;
  readonly text: string;
  readonly wav: Buffer;
  readonly secs: number;
}

/** A person, and the sentences in the service's own voice, as a telephone carries them. */
export async function spokenTestSet({ synthesizer }: Pick<Engines, 'synthesizer'>): Promise<Spoken[]> {
  const person = await recordedSpeech();
  const all: Spoken[] = [{ kind: 'a person', text: RECORDED_WORDS, wav: person, secs: person.length / 16_000 }];
  for (const [kind, sentences] of Object.entries(spokenSentences)) {
    for (const text of sentences) {
      const { samples } = await synthesizer.synthesize({ text, language: 'en', voice: '' }, patient);
      all.push({ kind, text, wav: overTelephone(samples), secs: samples.length / SPEECH_RATE });
    }
  }
  return all;
}
