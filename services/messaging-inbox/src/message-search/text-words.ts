import { nextTurnIfDue } from '@parley/queues';
import { truncateTerms, wordsOf } from '@parley/text';

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

/** Segments between two looks at the time; a few of them take less than a millisecond in any script. */
const SEGMENTS_AT_ONCE = 16;

/** Each word once, without case and accents. */
export async function wordsOfText(text: string): Promise<string[]> {
  const words = new Set<string>();
  for await (const { word } of eachWord(text)) {
    words.add(word);
    if (words.size === WORDS_MAX) break;
  }
  return [...words];
}

export async function wordsOfQuery(query: string): Promise<string[]> {
  return (await wordsOfText(query)).slice(0, QUERY_WORDS_MAX);
}

/** The ranges of the words in a text. */
export async function highlightsOf(text: string, words: readonly string[]): Promise<Pick<TextWord, 'start' | 'end'>[]> {
  const ranges: Pick<TextWord, 'start' | 'end'>[] = [];
  for await (const { word, start, end } of eachWord(text)) {
    if (words.includes(word)) ranges.push({ start, end });
    if (ranges.length === HIGHLIGHTS_MAX) break;
  }
  return ranges;
}

/** Dividing a long text in Chinese takes tens of milliseconds: others are served meanwhile. */
async function* eachWord(text: string): AsyncGenerator<TextWord> {
  let segments = 0;
  for (const { segment, index, isWordLike } of segmenter.segment(text)) {
    segments += 1;
    const turn = segments % SEGMENTS_AT_ONCE === 0 ? nextTurnIfDue() : undefined;
    if (turn) await turn;
    const [word] = isWordLike ? truncateTerms(wordsOf(segment)) : [];
    if (word) yield { word, start: index, end: index + segment.length };
  }
}
