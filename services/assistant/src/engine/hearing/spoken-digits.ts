import { vocabularyOf } from '../words/vocabularies.ts';
import type { NumberWords } from '../words/vocabulary.ts';
import type { HeardWords } from './heard-words.ts';

/** Digits that were said in a row, in words or figures. */
export interface DigitRun {
  /** Digits, with a plus sign before them if one was said. */
  readonly digits: string;
  /** Where they are in the text. */
  readonly start: number;
  readonly end: number;
}

/** Words that may stand between two digits of a number. */
const JOINS = /^(?:and|then|dash|hyphen|space|uh|um|er|erm|og|sa|oh|streg|mellemrum|und|dann|strich|ah|ahm)$/;
const JOINED_MAX = 2;
const SEPARATORS = /^[\s().,\-–/·]*$/;
const WRITTEN_PLUS = /\+\s?\(?$/;
const FIGURES = /^\d+$/;
/** The recogniser writes "oh two oh" as "o2o". */
const FIGURES_WITH_OH = /^(?=.*\d)[\do]+$/;

/** The runs of digits in what was said, in their order. "Double five" is 55, "oh" is 0, "twenty five" 25, "eight hundred" 800. */
export function readDigits({ tokens, text }: HeardWords, language: string): DigitRun[] {
  const { numbers } = vocabularyOf(language);
  const words = tokens.map(({ word }) => word);
  const runs: DigitRun[] = [];
  /** Whether the last run may go on, and how many joining words were said since. */
  let open = false;
  let joined = 0;
  for (let index = 0; index < tokens.length;) {
    const read = readDigitWords(words.slice(index, index + 3), numbers);
    if (!read) {
      joined += 1;
      open &&= joined <= JOINED_MAX && JOINS.test(words[index]!);
      index += 1;
      continue;
    }
    const last = runs.at(-1);
    const plus = WRITTEN_PLUS.exec(text.slice(0, tokens[index]!.start));
    const start = plus?.index ?? tokens[index]!.start;
    const end = tokens[index + read.count - 1]!.end;
    const continues =
      open && !plus && read.digits !== '+' && (joined > 0 || SEPARATORS.test(text.slice(last!.end, start)));
    if (last && continues) runs[runs.length - 1] = { digits: last.digits + read.digits, start: last.start, end };
    else runs.push({ digits: (plus ? '+' : '') + read.digits, start, end });
    open = true;
    joined = 0;
    index += read.count;
  }
  return runs.filter(({ digits }) => digits !== '+');
}

/** The digits of the first of these words, and how many words they are. */
function readDigitWords(words: readonly string[], numbers: NumberWords): { digits: string; count: number } | undefined {
  const [word = '', next = ''] = words;
  if (numbers.plus.test(word)) return digitsOf(next, numbers) === undefined ? undefined : { digits: '+', count: 1 };
  const times = numbers.double.test(word) ? 2 : numbers.triple.test(word) ? 3 : 0;
  const single = singleDigit(next, numbers);
  if (times > 0) return single === undefined ? undefined : { digits: single.repeat(times), count: 2 };
  const tens = numbers.tens[word];
  if (tens !== undefined && single !== undefined && single !== '0' && !FIGURES.test(next))
    return { digits: String(tens + Number(single)), count: 2 };
  const digits = digitsOf(word, numbers);
  if (digits === undefined) return undefined;
  if (numbers.hundred.test(next)) return { digits: `${digits}00`, count: 2 };
  if (numbers.thousand.test(next)) return { digits: `${digits}000`, count: 2 };
  return { digits, count: 1 };
}

function digitsOf(word: string, { digits, onesAndTens, tens }: NumberWords): string | undefined {
  if (FIGURES_WITH_OH.test(word)) return word.replaceAll('o', '0');
  const [, ones, ten] = onesAndTens?.exec(word) ?? [];
  if (ones !== undefined && ten !== undefined) return String(tens[ten]! + Number(digits[ones]));
  return digits[word] ?? (tens[word] === undefined ? undefined : String(tens[word]));
}

function singleDigit(word: string, { digits }: NumberWords): string | undefined {
  const read = FIGURES.test(word) ? word : digits[word];
  return read?.length === 1 ? read : undefined;
}
