import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  isValidPhoneNumber,
  type PhoneNumberType,
} from 'libphonenumber-js/max';
import { readCallableNumber } from './callable-number.ts';
import { rangesOf } from './number-ranges.ts';

const EXAMPLES = 5;
const MORE_DIGITS = ['', '0', '12', '345', '6789', '01234', '567890'];
const SURCHARGED: readonly PhoneNumberType[] = ['PREMIUM_RATE', 'PERSONAL_NUMBER', 'PAGER', 'VOICEMAIL'];
/** Territories whose numbers are also those of a larger country. */
const PARTS: readonly CountryCode[] = ['AX', 'BL', 'CC', 'CX', 'EH', 'MF', 'SJ', 'VA'];
/** Mobiles of Japan that begin with a complete personal number. */
const AMBIGUOUS = /^\+8160/;
const everywhere = getCountries();

/** Complete numbers of a country, the same in every run. */
function numbersOf(country: CountryCode, types: readonly PhoneNumberType[]): string[] {
  const code = getCountryCallingCode(country);
  return rangesOf(code)
    .filter((range) => range.country === country && types.includes(range.type))
    .flatMap(({ complete }) =>
      fc.sample(fc.stringMatching(new RegExp(`${complete.source}$`)), { numRuns: EXAMPLES, seed: 1 }),
    )
    .map((national) => `+${code}${national}`)
    .filter((number) => isValidPhoneNumber(number));
}

/** What is dialled; undefined for a number that may not be called. */
function dialled(number: string, countries: readonly string[]): string | undefined {
  const destinations = { countries, premiumRate: false, satellite: false };
  const read = readCallableNumber(number, { country: 'DK', destinations });
  return typeof read === 'string' ? undefined : read.to;
}

/** What is dialled of the numbers, with digits more, that begins with them nevertheless. */
function dialledWithMore(numbers: readonly string[], countries: readonly string[]): string[] {
  return numbers.flatMap((number) =>
    MORE_DIGITS.flatMap((more) => dialled(number + more, countries) ?? []).filter((to) => to.startsWith(number)),
  );
}

describe.each(everywhere)('in %s', (country) => {
  it('no number that begins with a surcharged one can be called', () => {
    expect(dialledWithMore(numbersOf(country, SURCHARGED), everywhere)).toEqual([]);
  });

  it('numbers of fixed lines and mobiles can be called', () => {
    const numbers = numbersOf(country, ['FIXED_LINE', 'MOBILE']);
    expect(numbers.length).toBeGreaterThan(0);
    const refused = numbers.filter((number) => dialled(number, everywhere) !== number);
    expect(refused.filter((number) => !AMBIGUOUS.test(number))).toEqual([]);
  });
});

const isOfSharedCode = (country: CountryCode) =>
  rangesOf(getCountryCallingCode(country)).some((range) => range.country !== country);

it.each(everywhere.filter((country) => isOfSharedCode(country) && !PARTS.includes(country)))(
  'no number of %s can be called by a company that may not call the country',
  (country) => {
    const others = everywhere.filter((other) => other !== country);
    expect(dialledWithMore(numbersOf(country, ['FIXED_LINE', 'MOBILE']), others)).toEqual([]);
  },
);
