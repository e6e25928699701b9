import { describe, expect, it } from '@jest/globals';
import { permitNumber } from './call-permission.ts';

const company = {
  country: 'DK',
  destinations: { countries: ['DK', 'SE', 'US'], premiumRate: false, satellite: false },
};
const outcome = (dialled: string, destinations: object = {}) => {
  const permitted = permitNumber(dialled, { ...company, destinations: { ...company.destinations, ...destinations } });
  return 'refused' in permitted ? permitted.refused.code : permitted.allowed.to;
};

describe('a dialled number', () => {
  it.each([
    ['20 30 40 50', '+4520304050'],
    ['+46 8 123 456 78', '+46812345678'],
    ['+1 415 555 0101', '+14155550101'],
    ['112', '112'],
    ['1-1-2', '112'],
    ['+800 1234 5678', '+80012345678'],
    ['+1 876 555 1234', 'destination_not_allowed'],
    ['+1 555 123 4567', 'destination_not_allowed'],
    ['+49 30 901820', 'destination_not_allowed'],
    ['+1 900 555 1234', 'destination_not_allowed'],
    ['90 12 34 56', 'destination_not_allowed'],
    ['+881 6 1234 5678', 'destination_not_allowed'],
    ['+979 1 2345 6789', 'destination_not_allowed'],
    ['110', 'validation_failed'],
    ['hello', 'validation_failed'],
    ['+4520304050,1', 'validation_failed'],
    ['${112}', 'validation_failed'],
    ['', 'validation_failed'],
  ])('the dialled number %s is %s', (dialled, expected) => {
    expect(outcome(dialled)).toBe(expected);
  });

  it.each([
    ['+1 900 555 1234', { premiumRate: true }, '+19005551234'],
    ['+44 906 123 4567', { premiumRate: true }, 'destination_not_allowed'],
    ['+979 1 2345 6789', { premiumRate: true }, '+979123456789'],
    ['+881 6 1234 5678', { satellite: true }, '+881612345678'],
    ['+1 876 555 1234', { countries: ['JM'] }, '+18765551234'],
    ['20304050', { countries: [] }, 'destination_not_allowed'],
    ['112', { countries: [] }, '112'],
  ])('the dialled number %s with %j is %s', (dialled, destinations, expected) => {
    expect(outcome(dialled, destinations)).toBe(expected);
  });
});
