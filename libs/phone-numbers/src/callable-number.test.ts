import { describe, expect, it } from '@jest/globals';
import { isAllowedDestination, readCallableNumber } from './callable-number.ts';

const rules = (country: string) => ({
  country,
  destinations: { countries: ['DE', 'DK', 'GB', 'IT', 'US', 'SE', 'HU'], premiumRate: false, satellite: false },
});
const outcome = (written: string, country: string) => {
  const read = readCallableNumber(written, rules(country));
  return typeof read === 'string' ? read : read.to;
};

describe('a premium-rate number', () => {
  it.each([
    ['as it is dialled in its country', '0900 1 123456', 'DE'],
    ['without the trunk prefix', '900 1 123456', 'DE'],
    ['without the plus sign', '499001123456', 'DE'],
    ['with digits more', '0900 1 123456 789', 'DE'],
    ['with 00', '0049 900 1 123456', 'DK'],
    ['with the international prefix of another country', '011 49 900 1 123456', 'US'],
    ['with a trunk prefix after the country', '+49 0 900 1 123456', 'DK'],
    ['with a trunk prefix in brackets', '+49 (0) 900 1 123456', 'DK'],
    ['with a trunk prefix of two digits', '+36 06 90 123456', 'DK'],
    ['with a trunk prefix and digits more', '+49 0900 1 12345678', 'DK'],
    ['with a prefix of a relay service', '+44 180020 906 123 4567', 'DK'],
    ['with the country code twice', '+1 1 900 555 1234', 'US'],
    ['in wide digits', '+49９００１１２３４５６', 'DE'],
    ['with invisible characters', '+49\u200b900\u200b1\u202e123456', 'DE'],
    ['as directory enquiries', '11833', 'DE'],
    ['as directory enquiries after a trunk prefix', '011833', 'DE'],
  ])('a premium-rate number is not called %s', (_how, written, country) => {
    expect(outcome(written, country)).toBe('not_allowed');
  });
});

it.each([
  ['an extension', '+4530901820;ext=0900'],
  ['a pause', '+4520304050p1'],
  ['a comma', '+4520304050,,1'],
  ['letters', '0900-1-FLIRT1'],
  ['Arabic digits', '+49 ٩٠٠١١٢٣٤٥٦'],
  ['a SIP address', 'sip:+4520304050@carrier.invalid'],
  ['a tel URI', 'tel:+4520304050'],
  ['a service code', '*31#20304050'],
  ['two trunk prefixes', '+49 00 900 1 123456'],
])('%s is no number', (_what, written) => {
  expect(outcome(written, 'DE')).toBe('not_a_number');
});

describe('a number that a stranger wrote', () => {
  it.each([
    ['+4520304050', true],
    ['+490301234567', false],
    ['20304050', false],
    ['+45 20304050', false],
    ['112', false],
    ['anonymous', false],
    ['+4990011234567', false],
    ['+18765551234', false],
  ])('the number %s is an allowed destination: %s', (number, expected) => {
    expect(isAllowedDestination(number, rules('DK'))).toBe(expected);
  });
});
