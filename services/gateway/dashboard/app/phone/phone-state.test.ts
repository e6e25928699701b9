import { describe, expect, it } from '@jest/globals';
import { dialledNumber, endOfDialling, endOfRinging } from './phone-state.ts';

describe('the end of a call that rang here', () => {
  it.each([
    ['Canceled', 'SIP;cause=200;text="Call completed elsewhere"', 'The call was answered elsewhere.'],
    ['Canceled', 'Q.850;cause=16;text="NORMAL_CLEARING"', 'The caller hung up.'],
    ['Canceled', undefined, 'The caller hung up.'],
    ['Internal Error', undefined, 'The call has ended.'],
  ])('the end of a call that rang here is explained for %s with the reason %s', (cause, reasonHeader, text) => {
    expect(endOfRinging({ cause, reasonHeader })).toBe(text);
  });
});

it('a call that one has cancelled ends without a word', () => {
  expect(endOfDialling('Canceled')).toBeUndefined();
  expect(endOfDialling('Busy')).toBe('The line is busy.');
  expect(endOfDialling('anything else')).toBe('The call could not be made. Try again.');
});

it.each([
  ['+45 20 30 40 50', '+4520304050'],
  ['0045 20-30-40-50', '+4520304050'],
  ['(020) 30.40/50', '020304050'],
])('a phone dials %s as %s', (typed, dialled) => {
  expect(dialledNumber(typed)).toBe(dialled);
});
