import { DANISH_SENTENCES } from './danish-sentences.ts';
import { DANISH } from './danish.ts';
import { ENGLISH_SENTENCES } from './english-sentences.ts';
import { ENGLISH } from './english.ts';
import { GERMAN_SENTENCES } from './german-sentences.ts';
import { GERMAN } from './german.ts';
import type { Sentences } from './sentences.ts';
import { type Language, LANGUAGES } from '../../words/languages.ts';
import type { Vocabulary } from './vocabulary.ts';

const VOCABULARIES: Readonly<Record<Language, Vocabulary>> = { en: ENGLISH, da: DANISH, de: GERMAN };

const SENTENCES: Readonly<Record<Language, Sentences>> = {
  en: ENGLISH_SENTENCES,
  da: DANISH_SENTENCES,
  de: GERMAN_SENTENCES,
};

/** English where the language is not one of them. */
export function languageOf(code: string): Language {
  return LANGUAGES.find((language) => code.toLowerCase().startsWith(language)) ?? 'en';
}

export function vocabularyOf(language: string): Vocabulary {
  return VOCABULARIES[languageOf(language)];
}

export function sentencesOf(language: string): Sentences {
  return SENTENCES[languageOf(language)];
}
