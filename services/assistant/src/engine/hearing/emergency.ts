import { vocabularyOf } from '../words/vocabularies.ts';
import type { HeardWords } from './heard-words.ts';

/** Whether somebody needs the emergency services now. "I was fired" and "the fire alarm" are none. */
export function isEmergency({ plain }: HeardWords, language: string): boolean {
  const { emergency, emergencyWord, noEmergency } = vocabularyOf(language);
  if (emergencyWord.test(plain)) return true;
  return emergency.some((pattern) => pattern.test(plain)) && !noEmergency.test(plain);
}
