import { describe, expect, it } from '@jest/globals';
import { hearWords } from './heard-words.ts';
import { readDigits } from './spoken-digits.ts';
import { readSpokenNumber } from './spoken-phone-number.ts';

const digits = (said: string, language = 'en') => readDigits(hearWords(said), language).map((run) => run.digits);

describe('digits that were said', () => {
  it.each([
    ['twenty thirty forty fifty', ['20304050']],
    ['my number is 20 30 40 50', ['20304050']],
    ['double five oh triple two', ['550222']],
    ['plus forty five twenty thirty forty fifty', ['+4520304050']],
    ['+45 20 30 40 50', ['+4520304050']],
    ['oh eight hundred, one two three', ['0800123']],
    ['twenty five, and then sixty one', ['2561']],
    ['area code 415, 555-0100', ['4155550100']],
    ['one moment, I have two', ['1', '2']],
    ['it is uh two zero uh three zero', ['2030']],
    ['O2o7946, o123.', ['02079460123']],
    ['nothing', []],
  ])('digits are read from "%s"', (said, expected) => {
    expect(digits(said)).toEqual(expected);
  });

  it.each([
    ['femogtyve tredive fyrre halvtreds', 'da', ['25304050']],
    ['nul et to tre', 'da', ['0123']],
    ['einundzwanzig dreißig null fünf', 'de', ['213005']],
    ['null eins fünf zwei doppel drei', 'de', ['015233']],
  ])('digits are read from "%s" in the language %s', (said, language, expected) => {
    expect(digits(said, language)).toEqual(expected);
  });
});

describe('a phone number that was said', () => {
  const read = (said: string, country = 'DK', before = '') => readSpokenNumber(hearWords(said), 'en', country, before);

  it.each([
    ['my number is twenty thirty forty fifty', 'DK', '+4520304050'],
    ['It’s +45 20 30 40 50.', 'GB', '+4520304050'],
    ['oh one one seven, four nine six, oh one two three', 'GB', '+441174960123'],
    ['zero zero four five twenty thirty forty fifty', 'DK', '+4520304050'],
    ['4 5 2 0 3 0 4 0 5 0', 'DK', '+4520304050'],
    ['four one five, five five five, oh one double three', 'US', '+14155550133'],
    ['extension 5, number 20 30 40 50', 'DK', '+4520304050'],
  ])('a phone number is read from "%s" in %s', (said, country, expected) => {
    expect(read(said, country)).toMatchObject({ kind: 'number', number: { number: expected } });
  });

  it('a phone number may be said in two breaths', () => {
    expect(read('20 30')).toEqual({ kind: 'digits', digits: '2030' });
    expect(read('40 50', 'DK', '2030')).toMatchObject({ kind: 'number', number: { number: '+4520304050' } });
  });

  it('a phone number is not read from words', () => {
    expect(read('I do not have one')).toEqual({ kind: 'digits', digits: '1' });
    expect(read('never mind')).toEqual({ kind: 'none' });
  });
});
