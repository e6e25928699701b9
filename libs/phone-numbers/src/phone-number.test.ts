import { describe, expect, it } from '@jest/globals';
import { readPhoneNumber } from './phone-number.ts';

describe('a phone number', () => {
  it.each([
    ['+4520304050', 'DK', '+4520304050', '+45 20 30 40 50'],
    ['20 30 40 50', 'DK', '+4520304050', '+45 20 30 40 50'],
    ['0045 20304050', 'DK', '+4520304050', '+45 20 30 40 50'],
    ['(415) 555-0101', 'US', '+14155550101', '+1 415 555 0101'],
    ['020 7946 0018', 'GB', '+442079460018', '+44 20 7946 0018'],
    ['+49 30 901820', 'DK', '+4930901820', '+49 30 901820'],
    ['\u202a+45 20 30 40 50\u202c\u200e', 'DK', '+4520304050', '+45 20 30 40 50'],
    ['２０３０４０５０', 'DK', '+4520304050', '+45 20 30 40 50'],
    ['＋45 20304050', 'DK', '+4520304050', '+45 20 30 40 50'],
    ['(+45) 20 30 40 50', 'US', '+4520304050', '+45 20 30 40 50'],
    ['20\u00a030\u00a040\u00a050', 'DK', '+4520304050', '+45 20 30 40 50'],
  ])('the phone number %s in %s is %s', (written, country, number, formatted) => {
    expect(readPhoneNumber(written, country)).toMatchObject({ number, formatted });
  });

  it.each([
    ['nothing', ''],
    ['a word', 'anonymous'],
    ['letters between digits', '1-800-FLOWERS'],
    ['an extension', '+4520304050 ext. 12'],
    ['an extension after a comma', '+4520304050,12'],
    ['too few digits', '+4512'],
    ['too many digits', '+452030405060708090'],
    ['a country that does not exist', '+9991234567'],
    ['two numbers', '+4520304050 +4520304051'],
    ['a query operator', '{"$ne":""}'],
    ['something very long', '+45'.padEnd(5000, '2')],
  ])('a phone number is not %s', (_what, written) => {
    expect(readPhoneNumber(written, 'DK')).toBeUndefined();
  });
});
