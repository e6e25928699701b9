import { LANGUAGES } from '../../words/languages.ts';
import { vocabularyOf } from '../words/vocabularies.ts';
import { type HeardWords, hearWords, wordCount } from './heard-words.ts';
import { type DigitRun, readDigits } from './spoken-digits.ts';

const MASK = '•••';

const CARD_DIGITS_MIN = 13;
const CARD_DIGITS_MAX = 19;
const USUAL_CARD_DIGITS = 16;
/** Phone numbers with a country's code have 15 digits at most. */
const PHONE_DIGITS_MAX = 15;
/** So many words may stand between "my PIN is" and its digits. */
const WORDS_BETWEEN_MAX = 7;
/** And so many between digits that belong together. */
const WORDS_BETWEEN_DIGITS_MAX = 2;
/** The last word of a sentence that goes on with the secret. */
const ANNOUNCING = '(?:is|its|are|er|ist|lautet)';

export interface Masked {
  readonly text: string;
  readonly masked: boolean;
}

/**
 * Replaces card numbers, and digits after words such as "password" or "PIN", also where they were said as words. What was said just
 * before counts as well: "my PIN is", a pause, "one two three four". To be used before anything is stored or sent.
 */
export function maskSecrets(said: string, before = ''): Masked {
  // What is longer than what is read is no sentence, and is not kept.
  let { text } = hearWords(said);
  // Digits after a card number belong to it: each round may find more, until there are no more digits to find.
  for (let next = maskOnce(text, before); next !== text; next = maskOnce(text, before)) text = next;
  return { text, masked: text.includes(MASK) };
}

function maskOnce(said: string, before: string): string {
  const heard = hearWords(said);
  const spans = mergeSpans(
    LANGUAGES.flatMap((language) => [
      ...cardNumbers(heard, language, before),
      ...digitsAfterSecretWords(heard, language, before),
    ]),
  );
  return spans.toReversed().reduce((text, { start, end }) => text.slice(0, start) + MASK + text.slice(end), said);
}

type Span = Pick<DigitRun, 'start' | 'end'>;

function cardNumbers(heard: HeardWords, language: string, before: string): Span[] {
  const runs = readDigits(heard, language);
  const lastBefore = readDigits(hearWords(before), language).at(-1);
  return runs.filter(({ digits }, index) => {
    const alone = digits.replace('+', '');
    if (alone !== digits && alone.length <= PHONE_DIGITS_MAX) return false;
    // A number that is said in two breaths.
    const continued = index === 0 && lastBefore?.end === before.trimEnd().replace(/[.,]+$/, '').length;
    return isCardNumber(alone) || (continued && isCardNumber(lastBefore.digits + alone));
  });
}

/** The number itself, or a part that is as long as most cards' numbers: others may have been said in the same breath. */
function isCardNumber(digits: string): boolean {
  if (digits.length >= CARD_DIGITS_MIN && digits.length <= CARD_DIGITS_MAX && passesLuhn(digits)) return true;
  for (let from = 0; from + USUAL_CARD_DIGITS <= digits.length; from += 1)
    if (passesLuhn(digits.slice(from, from + USUAL_CARD_DIGITS))) return true;
  return false;
}

/** ISO/IEC 7812-1, annex B. */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (const [index, digit] of [...digits].toReversed().entries()) {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0 && !/^0+$/.test(digits);
}

/** Digits that follow a secret word, until a word after which digits are a phone number. */
function digitsAfterSecretWords(heard: HeardWords, language: string, before: string): Span[] {
  const { secrets } = vocabularyOf(language);
  const earlier = new RegExp(`(?:${secrets.source})(?: \\w+){0,2} ${ANNOUNCING}$`).test(hearWords(before).plain);
  const masked = [...heard.text.matchAll(new RegExp(MASK, 'g'))].map(({ index }) => ({
    start: index,
    end: index + MASK.length,
  }));
  const runs: Span[] = [...readDigits(heard, language), ...masked].toSorted((one, other) => one.start - other.start);
  const spans: Span[] = [];
  /** Whether the last run was masked: the digits after it belong to it. */
  let following = before
    .trimEnd()
    .replace(/[.,]+$/, '')
    .endsWith(MASK);
  for (const [index, run] of runs.entries()) {
    const lead = hearWords(heard.text.slice(runs[index - 1]?.end ?? 0, run.start)).plain;
    const word = lastMatch(lead, secrets);
    const since = word === undefined ? lead : lead.slice(word).trim();
    const announced = word !== undefined || (earlier && index === 0);
    const near = wordCount(since) <= (announced ? WORDS_BETWEEN_MAX : WORDS_BETWEEN_DIGITS_MAX);
    following = masked.includes(run) || ((announced || following) && near && !isPhoneNumberNext(since));
    if (following) spans.push(run);
  }
  return spans;
}

/** In any language: words of one are not known in the others. */
function isPhoneNumberNext(plain: string): boolean {
  return LANGUAGES.some((language) => vocabularyOf(language).phoneNumber.test(plain));
}

/** Where the last match of a pattern ends; undefined where there is none. */
function lastMatch(plain: string, pattern: RegExp): number | undefined {
  const last = [...plain.matchAll(new RegExp(pattern.source, 'g'))].at(-1);
  return last && last.index + last[0].length;
}

function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last && span.start <= last.end)
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
    else merged.push(span);
  }
  return merged;
}
