import { describe, expect, it } from '@jest/globals';
import { callerNumber } from './arrivals.ts';

describe('the number of a caller', () => {
  it.each([
    ['+4520304050', 'GB', '+4520304050'],
    ['004520304050', 'GB', '+4520304050'],
    ['4520304050', 'DE', '+4520304050'],
    ['14155550123', 'DK', '+14155550123'],
    ['20304050', 'DK', '+4520304050'],
    ['02079460018', 'GB', '+442079460018'],
    ['+15550', 'DK', '+15550'],
    ['anonymous', 'DK', 'anonymous'],
    ['12', 'DK', 'anonymous'],
    ['', 'DK', 'anonymous'],
  ])('the number %j, sent by a carrier to a company in %s, is %s', (written, country, number) => {
    expect(callerNumber(written, country)).toBe(number);
  });

  it('the number of a caller is read without the country of the company', () => {
    expect(callerNumber('20304050', undefined)).toBe('+20304050');
  });
});
