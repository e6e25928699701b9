import { type PhoneNumber, readPhoneNumber } from '@parley/phone-numbers';
import type { HeardWords } from './heard-words.ts';
import { readDigits } from './spoken-digits.ts';

/** Shorter ones are codes and dates. */
const DIGITS_MIN = 5;

/** What was heard of a phone number: a whole one, or digits that are none (yet). */
export type HeardNumber =
  | { readonly kind: 'number'; readonly number: PhoneNumber }
  | { readonly kind: 'digits'; readonly digits: string }
  | { readonly kind: 'none' };

/** `before`: digits that were said before, and were not a whole number. */
export function readSpokenNumber(heard: HeardWords, language: string, country: string, before = ''): HeardNumber {
  const runs = readDigits(heard, language).map(({ digits }) => digits);
  if (runs.length === 0) return { kind: 'none' };
  const all = runs.join('');
  const longestFirst = runs.toSorted((a, b) => b.length - a.length);
  for (const digits of [...longestFirst, all, ...(before === '' ? [] : [before + all])]) {
    const number = phoneNumberOf(digits, country);
    if (number) return { kind: 'number', number };
  }
  return { kind: 'digits', digits: before + all };
}

/** Digits as a phone number; a country's code counts also without a plus sign before it. */
export function phoneNumberOf(digits: string, country: string): PhoneNumber | undefined {
  if (digits.replaceAll(/\D/g, '').length < DIGITS_MIN) return undefined;
  const international = digits.replace(/^00/, '+');
  const national = readPhoneNumber(international, country);
  if (national || international.startsWith('+')) return national;
  return readPhoneNumber(`+${digits}`, country);
}
