import { describe, expect, it } from '@jest/globals';
import { emergencyNumberOf, readEmergencyNumber } from './emergency-numbers.ts';

describe('an emergency number', () => {
  it.each([
    ['112', 'DK', '112'],
    ['911', 'US', '911'],
    ['999', 'GB', '999'],
    ['112', 'NZ', '112'],
    ['1-1-2', 'SE', '112'],
    [' 1 1 0 ', 'DE', '110'],
    ['15', 'FR', '15'],
    ['1414', 'CH', '1414'],
    ['000', 'AU', '000'],
    ['111', 'NZ', '111'],
    ['１１２', 'DK', '112'],
    ['112', '', '112'],
  ])('the number %s dialled in %s is %s', (written, country, digits) => {
    expect(readEmergencyNumber(written, country)).toBe(digits);
  });

  it.each([
    ["another country's", '110', 'DK'],
    ['longer', '1122', 'DK'],
    ['international', '+112', 'DK'],
    ['with letters', '112x', 'DK'],
    ['a variable of a switch', '${112}', 'DK'],
    ['a list', '112,113', 'NO'],
    ['an ordinary number', '20304050', 'DK'],
    ['in no country', '110', '__proto__'],
    ['nothing', '', 'DK'],
  ])('a number that is %s is no emergency number', (_what, written, country) => {
    expect(readEmergencyNumber(written, country)).toBeUndefined();
  });
});

describe('the emergency number of a country', () => {
  it.each(['DK', 'DE', 'GB', 'US', 'AU', 'NZ', 'CA', 'FR', 'IE', '__proto__'])(
    'the emergency number of the country %s is one there',
    (country) => {
      expect(readEmergencyNumber(emergencyNumberOf(country), country)).toBe(emergencyNumberOf(country));
    },
  );

  it('the emergency number of a country is the one that its people know', () => {
    expect(['DK', 'GB', 'US', 'AU'].map(emergencyNumberOf)).toEqual(['112', '999', '911', '000']);
  });
});
