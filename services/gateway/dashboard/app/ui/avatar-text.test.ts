import { expect, it } from '@jest/globals';
import { avatarIndex, initials } from './avatar-text.ts';

it.each([
  ['Mette Sørensen', 'MS'],
  ['ada', 'A'],
  ['Karen  Blixen-Finecke Dinesen', 'KD'],
  ['  "Bo" (workshop)', 'BW'],
  ['\u202eeteM', 'E'],
  ['!!!', ''],
  ['', ''],
])('the initials of %j are %j', (name, expected) => {
  expect(initials(name)).toBe(expected);
});

it('an avatar gives a person the same colour always, and not the one of unknown numbers', () => {
  for (const id of ['ct_1', 'ct_2', 'emp_9', '']) {
    expect(avatarIndex(id)).toBe(avatarIndex(id));
    expect(avatarIndex(id)).toBeLessThan(7);
  }
});
