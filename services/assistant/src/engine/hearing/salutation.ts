import type { Language } from '../../words/languages.ts';

const SALUTATIONS: Readonly<Record<Language, readonly string[]>> = {
  en: ['(?:hello|hi|hey)(?: there)?', 'good (?:morning|afternoon|evening|day)'],
  da: ['hej', 'hall[oø]j?', 'goddag', 'godmorgen', 'god (?:morgen|dag|aften|eftermiddag)'],
  de: ['hallo', 'guten (?:morgen|tag|abend)', 'gr[uü](?:ß|ss) (?:gott|dich|sie)', 'moin', 'servus'],
};

const PATTERNS = new Map(
  Object.entries(SALUTATIONS).map(([language, words]) => [
    language,
    new RegExp(String.raw`^(?:\W*(?:${words.join('|')})(?!\p{L}))+\W*(?=\p{L}+\W+\p{L})`, 'iu'),
  ]),
);

/** "Good morning, when do you open?" asks for no morning: what callers say before they say what they want. */
export function withoutSalutation(text: string, language: Language): string {
  return text.replace(PATTERNS.get(language)!, '');
}
