import { segments } from '../text/segments.ts';

/** Ranking grows with the square of the sentences; a call of two hours has about as many. */
const SENTENCES_MAX = 1200;

/** The sentences of a transcript; a passage without a full stop is one sentence. */
export function sentencesOf({ passages, language }: { passages: readonly string[]; language: string }): string[] {
  return passages
    .flatMap((passage) => passage.split(/\n+/))
    .flatMap((line) => segments(line, language, 'sentence'))
    .slice(0, SENTENCES_MAX);
}
