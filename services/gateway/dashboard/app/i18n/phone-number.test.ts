import { expect, it } from '@jest/globals';
import { phoneGroups, phoneText } from './phone-number.ts';

it.each([
  ['+4520304011', '+45 20 30 40 11'],
  ['+14155550123', '+1 415 555 0123'],
  ['+4915123456789', '+49 15 123 456 789'],
  ['+358401234567', '+358 401 234 567'],
  ['anonymous', 'anonymous'],
  ['20304011', '20304011'],
])('the phone number %s is read as %s', (phoneNumber, text) => {
  expect(phoneText(phoneNumber)).toBe(text);
});

it('a phone number loses no digit', () => {
  for (const phoneNumber of ['+4520304011', '+12', '+999123456789012', '+3531234567'])
    expect((phoneGroups(phoneNumber) ?? [phoneNumber]).join('')).toBe(phoneNumber);
});
