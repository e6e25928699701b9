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
  ])('%s is in %s and %s', (number, country, kind) => {
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
  ])('%s belongs to no country and is %s', (number, kind) => {
    expect(destinationOf(number)).toEqual({ country: null, kind });
  });

  it('of an unknown range is that of the main country, unless prices within the code differ', () => {
    expect(destinationOf('+61145012345')?.country).toBe('AU');
    expect(destinationOf('+15551234567')?.country).toBeNull();
  });

  it.each(['', '112', '+97912', 'anonymous', '+999123456'])('%s has none', (text) => {
    expect(destinationOf(text)).toBeUndefined();
  });
});

it.each([
  ['DK', true],
  ['XK', true],
  ['dk', false],
  ['EU', false],
  ['__proto__', false],
  ['', false],
])('%s as the code of a country: %s', (code, expected) => {
  expect(isCountryCode(code)).toBe(expected);
});
