import { wordsOf } from '@parley/text';

interface Token {
  /** Lower case, without accents and apostrophes. */
  readonly word: string;
  /** Where it is in the text. */
  readonly start: number;
  readonly end: number;
}

/** What was said, as it was written down and as patterns match it. */
export interface HeardWords {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** The words of the tokens, one space between. */
  readonly plain: string;
}

const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}]+)*/gu;
/** More is not said in one breath; a test session allows half of it. */
const TEXT_LENGTH_MAX = 2000;

export function hearWords(said: string): HeardWords {
  const text = said.slice(0, TEXT_LENGTH_MAX);
  const tokens = [...text.matchAll(WORD)].flatMap(({ 0: found, index }) => {
    const word = plainWord(found);
    return word === '' ? [] : [{ word, start: index, end: index + found.length }];
  });
  return { text, tokens, plain: tokens.map(({ word }) => word).join(' ') };
}

function plainWord(word: string): string {
  return wordsOf(word).join('');
}

/** The plain words of a text. */
export function plainText(text: string): string {
  return hearWords(text).plain;
}

/** The words from a position of the plain text on, as they were said; until another one if it is given. */
export function originalWords({ text, tokens }: HeardWords, from: number, until = Infinity): string {
  let position = 0;
  let start: number | undefined;
  let end = 0;
  for (const token of tokens) {
    if (position >= from && position < until) {
      start ??= token.start;
      end = token.end;
    }
    position += token.word.length + 1;
  }
  return start === undefined ? '' : text.slice(start, end);
}

/** The words that a group of a pattern on the plain text matched, as they were said; undefined when it matched nothing. */
export function originalGroup(heard: HeardWords, pattern: RegExp, group: number | string): string | undefined {
  const match = new RegExp(pattern.source, `${pattern.flags.replaceAll(/[dg]/g, '')}d`).exec(heard.plain);
  const at = typeof group === 'number' ? match?.indices?.[group] : match?.indices?.groups?.[group];
  const words = at && originalWords(heard, at[0], at[1]);
  return words === '' ? undefined : words;
}

/** Without words that say nothing; what is left may be empty. */
export function withoutFillers(plain: string, fillers: RegExp): string {
  return plain.replaceAll(fillers, ' ').replaceAll(/\s+/g, ' ').trim();
}

export function wordCount(plain: string): number {
  return plain === '' ? 0 : plain.split(' ').length;
}
