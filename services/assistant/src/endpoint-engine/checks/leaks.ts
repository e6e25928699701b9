import { plainWords } from './places.ts';

/** So many words in a row are no coincidence. */
const WORDS_IN_A_ROW = 5;
/** Sentences of fewer words are said by anybody. */
const WORDS_MIN = 3;

/** Names of tools and ids: words that are joined by underscores, and what is said of them. */
const IDENTIFIER = /[\p{L}\p{N}]_[\p{L}\p{N}]|\bunderscore\b|\bunterstrich\b|\bunderstregning\b/iu;

/** A sentence about what the model was told, however short it quotes it. */
const OWN_INSTRUCTIONS =
  /\bmy (?:system )?(?:instructions?|prompts?)\b|\bmeine?n? (?:anweisung(?:en)?|instruktion(?:en)?|prompts?)\b|\bmine? (?:instruktion(?:er)?|instruks(?:er)?|prompts?)\b/;

const ID_LENGTH_MIN = 8;

/** E-mail addresses and links may have underscores. */
const ADDRESS = /\S+@\S+|\bhttps?:\/\/\S+|\b[\w-]+(?:\.[\w-]+)+\/\S*/g;

/** Texts that must not be spoken, as the rows of words they contain. */
export type HiddenTexts = ReadonlySet<string>;

/** `texts`: instructions and prompts; `known`: what may be spoken although it is in them. */
export function hiddenTexts(texts: readonly string[], known: readonly string[]): HiddenTexts {
  const spoken = ` ${known.map(plainWords).join(' ')} `;
  const rows = texts.flatMap((text) => text.split(/[.!?:;\n]+/)).flatMap((sentence) => rowsOf(plainWords(sentence)));
  return new Set(rows.filter((row) => !spoken.includes(` ${row} `)));
}

/** Whether a sentence tells what is hidden, or names of tools and ids. */
export function leaks(sentence: string, hidden: HiddenTexts, ids: readonly string[]): boolean {
  if (IDENTIFIER.test(sentence.replaceAll(ADDRESS, ' '))) return true;
  if (ids.some((id) => hasId(sentence, id))) return true;
  const plain = plainWords(sentence);
  if (OWN_INSTRUCTIONS.test(plain)) return true;
  const words = plain.split(' ');
  for (let length = WORDS_MIN; length <= WORDS_IN_A_ROW; length += 1)
    for (let from = 0; from + length <= words.length; from += 1)
      if (hidden.has(words.slice(from, from + length).join(' '))) return true;
  return false;
}

/** Also without what is before the underscore. */
function hasId(sentence: string, id: string): boolean {
  const rest = id.slice(id.indexOf('_') + 1);
  return rest.length >= ID_LENGTH_MIN && sentence.includes(rest);
}

/** Every row of five words; of a shorter sentence all of it. */
function rowsOf(sentence: string): string[] {
  const words = sentence.split(' ').filter((word) => word !== '');
  if (words.length < WORDS_MIN) return [];
  if (words.length <= WORDS_IN_A_ROW) return [words.join(' ')];
  return words.slice(0, 1 - WORDS_IN_A_ROW).map((_, from) => words.slice(from, from + WORDS_IN_A_ROW).join(' '));
}
