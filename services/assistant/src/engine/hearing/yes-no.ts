import { vocabularyOf } from '../words/vocabularies.ts';
import { type HeardWords, hearWords, originalWords, wordCount } from './heard-words.ts';

/** What was said begins with a yes or a no. */
export interface YesNo {
  readonly answer: 'yes' | 'no';
  /** What follows, as it was said; empty when nothing does. */
  readonly rest: HeardWords;
}

/** After "okay" or "right" so many words may follow while it still is a yes. */
const WORDS_AFTER_WEAK_YES_MAX = 2;
/** "Okay, okay, yes": each is read again, so that what a caller repeats for a minute is bounded. */
const REPEATED_MAX = 3;

export function readYesNo(heard: HeardWords, language: string): YesNo | null {
  return readAgain(heard, language, REPEATED_MAX);
}

function readAgain(heard: HeardWords, language: string, furtherMax: number): YesNo | null {
  const { fillers, neitherYesNorNo, yes, no, weakYes } = vocabularyOf(language);
  const start = leadingFillers(heard.plain, fillers);
  const plain = heard.plain.slice(start);
  if (neitherYesNorNo.test(plain)) return null;
  for (const [answer, pattern] of [
    ['no', no],
    ['yes', yes],
  ] as const) {
    const found = pattern.exec(plain);
    if (found) return { answer, rest: restAfter(heard, start + found[0].length) };
  }
  const weak = weakYes.exec(plain);
  if (!weak) return null;
  const rest = restAfter(heard, start + weak[0].length);
  // "Okay, no": the stronger word counts.
  const further = rest.plain === '' || furtherMax === 0 ? null : readAgain(rest, language, furtherMax - 1);
  if (further) return further;
  return wordCount(rest.plain) <= WORDS_AFTER_WEAK_YES_MAX ? { answer: 'yes', rest } : null;
}

/** "Yes, that is right" says no more than yes. */
export function isOnlyYesOrNo(heard: HeardWords, language: string): boolean {
  let rest: HeardWords | undefined = heard;
  for (let times = 0; rest && times < REPEATED_MAX; times += 1) {
    rest = readYesNo(rest, language)?.rest;
    if (rest?.plain === '') return true;
  }
  return false;
}

/** How many characters of a text are words that say nothing, at its beginning. */
function leadingFillers(plain: string, fillers: RegExp): number {
  const sayNothing = new RegExp(`^(?:${fillers.source})$`);
  let start = 0;
  for (const word of plain.split(' ')) {
    if (!sayNothing.test(word) || start + word.length >= plain.length) break;
    start += word.length + 1;
  }
  return start;
}

function restAfter(heard: HeardWords, position: number): HeardWords {
  return hearWords(originalWords(heard, position));
}
