import { describe, expect, it } from '@jest/globals';
import { destinationOf, isCountryCode } from './destination.ts';

describe('the destination of a number', () => {
  it.each([
    ['+4530123101', 'DK', 'ordinary'],
    ['+4580123456', 'DK', 'ordinary'],
    ['+491805123456', 'DE', 'ordinary'],
    ['+14155550101', 'US', 'ordinary'],
    ['+16135550101', 'CA', 'ordinary'],
    ['+18765551234', 'JM', 'ordinary'],
    ['+12645551234', 'AI', 'ordinary'],
    ['+441481960194', 'GG', 'ordinary'],
    ['+358181234567', 'FI', 'ordinary'],
    ['+4779123456', 'NO', 'ordinary'],
    ['+77012345678', 'KZ', 'ordinary'],
    ['+5351234567', 'CU', 'ordinary'],
    ['+19005551234', 'US', 'premium_rate'],
    ['+449061234567', 'GB', 'premium_rate'],
    ['+447012345678', 'GB', 'premium_rate'],
    ['+4590123456', 'DK', 'premium_rate'],
    ['+33891123456', 'FR', 'premium_rate'],
    ['+499001234567', 'DE', 'premium_rate'],
    ['+4990011234567', 'DE', 'premium_rate'],
    ['+447600123456', 'GB', 'premium_rate'],
    ['+4917712345678901', 'DE', 'premium_rate'],
    ['+491371123456', 'DE', 'premium_rate'],
    ['+358100100', 'FI', 'premium_rate'],
    ['+358102345678', 'FI', 'ordinary'],
    ['+16002345678', 'CA', 'premium_rate'],
    ['+12129761234', 'US', 'premium_rate'],
    ['+31841234567', 'NL', 'premium_rate'],
    ['+41581234567', 'CH', 'ordinary'],
    ['+611300123456', 'AU', 'ordinary'],
    ['+442079460018', 'GB', 'ordinary'],
    ['+441189123456', 'GB', 'ordinary'],
  ])('the number %s is in %s and %s', (number, country, kind) => {
    expect(destinationOf(number)).toEqual({ country, kind });
  });

  it.each([
    ['+881612345678', 'satellite'],
    ['+88216123456', 'satellite'],
    ['+8835100123456', 'satellite'],
    ['+870773123456', 'satellite'],
    ['+979123456789', 'premium_rate'],
    ['+80812345678', 'premium_rate'],
    ['+878101234567890', 'premium_rate'],
    ['+88810012345678', 'premium_rate'],
    ['+80012345678', 'freephone'],
  ])('the number %s belongs to no country and is %s', (number, kind) => {
    expect(destinationOf(number)).toEqual({ country: null, kind });
  });

  it.each([
    ['in Germany', '+4911833'],
    ['in Germany with a digit more', '+49118331'],
    ['in Austria', '+43118877'],
    ['in Italy with digits more', '+391254123'],
    ['in Sweden', '+46118118'],
    ['in Finland', '+358118118'],
    ['in Finland by a service number', '+35820200'],
    ['in France with digits more', '+33118712000'],
    ['in Ireland with digits more', '+35311811000'],
    ['in Hungary with digits more', '+3611818000'],
    ['in Croatia with digits more', '+38511880000'],
    ['in Luxembourg', '+35211817'],
  ])('a number of directory enquiries %s is premium rate', (_where, number) => {
    expect(destinationOf(number)).toMatchObject({ kind: 'premium_rate' });
  });

  it.each([
    ['between mobiles of Denmark', '+4520000001', 'DK', 'ordinary'],
    ['between fixed lines of Denmark', '+4570000001', 'DK', 'ordinary'],
    ['between mobiles of Great Britain', '+447700900123', 'GB', 'ordinary'],
    ['with no others', '+4511223344', 'DK', 'premium_rate'],
    ['as near to premium-rate numbers as to others', '+4595123456', 'DK', 'premium_rate'],
    ['between premium-rate numbers', '+499002123456', 'DE', 'premium_rate'],
    ['between pagers', '+447610123456', 'GB', 'premium_rate'],
    ['in a plan of many lengths', '+39380123', 'IT', 'premium_rate'],
    ['in a code of many prices', '+15551234567', null, 'ordinary'],
  ])('a number of an unknown range %s, %s, is in %s and %s', (_where, number, country, kind) => {
    expect(destinationOf(number)).toEqual({ country, kind });
  });

  it('the destination of a number is decided within a millisecond', () => {
    const numbers = ['+4990011234567', '+447700900123', '+12645551234', '+491711234567', '+4520304050'];
    for (const number of numbers) destinationOf(number);
    const startedAt = performance.now();
    for (let round = 0; round < 100; round++) for (const number of numbers) destinationOf(number);
    expect((performance.now() - startedAt) / 500).toBeLessThan(1);
  });

  it.each(['', '112', '+97912', 'anonymous', '+999123456', '+490301234567', '+44180020'])(
    'the number "%s" has no destination',
    (text) => {
      expect(destinationOf(text)).toBeUndefined();
    },
  );
});

it.each([
  ['DK', true],
  ['XK', true],
  ['dk', false],
  ['EU', false],
  ['__proto__', false],
  ['', false],
])('the code %s is one of a country: %s', (code, expected) => {
  expect(isCountryCode(code)).toBe(expected);
});
