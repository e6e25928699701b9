import { truncateTerms, wordsOf } from '@parley/search-terms';

/** A word of a text as it is found, and where the text has it, in UTF-16 units. */
interface TextWord {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** More different words of one text are not found. */
const WORDS_MAX = 1000;
const QUERY_WORDS_MAX = 8;
const HIGHLIGHTS_MAX = 100;

/** Also finds words in scripts without spaces. The language is fixed so that every process splits texts in the same way. */
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** Each word once, without case and accents. */
export function wordsOfText(text: string): string[] {
  const words = new Set<string>();
  for (const { word } of eachWord(text)) {
    words.add(word);
    if (words.size === WORDS_MAX) break;
  }
  return [...words];
}

export function wordsOfQuery(query: string): string[] {
  return wordsOfText(query).slice(0, QUERY_WORDS_MAX);
}

/** The ranges of the words in a text. */
export function highlightsOf(text: string, words: readonly string[]): Pick<TextWord, 'start' | 'end'>[] {
  const ranges: Pick<TextWord, 'start' | 'end'>[] = [];
  for (const { word, start, end } of eachWord(text)) {
    if (words.includes(word)) ranges.push({ start, end });
    if (ranges.length === HIGHLIGHTS_MAX) break;
  }
  return ranges;
}

function* eachWord(text: string): Generator<TextWord> {
  for (const { segment, index, isWordLike } of segmenter.segment(text)) {
    const [word] = isWordLike ? truncateTerms(wordsOf(segment)) : [];
    if (word) yield { word, start: index, end: index + segment.length };
  }
}
