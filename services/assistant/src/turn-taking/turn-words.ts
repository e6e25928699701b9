import { plainText } from '../engine/hearing/heard-words.ts';
import { vocabularyOf } from '../engine/words/vocabularies.ts';
import type { TurnWords } from './take-turns.ts';

/** What the words of a language say about the turn. */
export function turnWords(language: string): TurnWords {
  const { backchannel, unfinished, question } = vocabularyOf(language);
  return {
    isBackchannel: (text) => backchannel.test(plainText(text)),
    isUnfinished: (text) => unfinished.test(plainText(text)),
    isQuestion: (text) => text.trimEnd().endsWith('?') || question.test(plainText(text)),
  };
}
