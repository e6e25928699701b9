import { stemmer } from 'stemmer';
import { plainText } from '../hearing/heard-words.ts';
import { type Language } from '../../words/languages.ts';
import { languageOf } from '../words/vocabularies.ts';
import { STOP_WORDS, SYNONYMS } from '../words/weights.ts';

/** Endings of inflected words, longest first. Danish and German have no stemmer that is kept. */
const ENDINGS: Readonly<Record<'da' | 'de', RegExp>> = {
  da: /(?:erne|ernes|eren|erens|ede|ende|erer|ene|ens|ers|ets|en|er|es|et|e|s)$/,
  de: /(?:ungen|ung|erinnen|erin|ern|est|ten|tet|te|em|en|er|es|st|e|n|s|t)$/,
};
const STEM_LENGTH_MIN = 3;

/** The words of a text that tell what it is about, without their endings; words of the same meaning are one. */
export function contentWords(text: string, languageCode: string): string[] {
  const language = languageOf(languageCode);
  const stops = STOP_WORDS[language];
  const plain = joinPhrases(plainText(text), language);
  return [
    ...new Set(
      plain
        .split(' ')
        .filter((word) => word !== '' && !stops.has(word))
        .map((word) => rootOf(word, language)),
    ),
  ];
}

function joinPhrases(plain: string, language: Language): string {
  return PHRASES[language].reduce((text, [pattern, root]) => text.replaceAll(pattern, ` ${root} `), plain);
}

/** Of a group of synonyms the first word stands for all of them. */
const ROOTS = mapLanguages((language) => {
  const roots = new Map<string, string>();
  for (const group of SYNONYMS[language])
    for (const word of group) if (!word.includes(' ')) roots.set(stemOf(word, language), stemOf(group[0]!, language));
  return roots;
});

/** Synonyms of several words. */
const PHRASES = mapLanguages((language) =>
  SYNONYMS[language].flatMap((group) =>
    group
      .filter((word) => word.includes(' '))
      .map((words): [RegExp, string] => [new RegExp(String.raw`\b${words}\b`, 'g'), group[0]!]),
  ),
);

function rootOf(word: string, language: Language): string {
  const stem = stemOf(word, language);
  return ROOTS[language].get(stem) ?? stem;
}

function stemOf(word: string, language: Language): string {
  if (language === 'en') return stemmer(word);
  const stem = word.replace(ENDINGS[language], '');
  return stem.length < STEM_LENGTH_MIN ? word : stem;
}

function mapLanguages<Value>(make: (language: Language) => Value): Readonly<Record<Language, Value>> {
  return { en: make('en'), da: make('da'), de: make('de') };
}
