import { describe, expect, it } from '@jest/globals';
import { encodeMessage } from '@parley/events';
import { eventMentions, jsonMentions } from './mentions-person.ts';

const call = (from: string, mainNumberName: string) =>
  encodeMessage('call-control.call.ended', { call: { from, mainNumberName } });

describe('the name of a sender', () => {
  it('the name of a sender is found in the fields of numbers, and nowhere else', () => {
    expect(eventMentions(call('Acme', 'Support'), 'Acme')).toBe(true);
    expect(eventMentions(call('+4520304050', 'Acme'), 'Acme')).toBe(false);
    expect(eventMentions(call('Acme Bank', 'Support'), 'Acme')).toBe(false);
    expect(jsonMentions(JSON.stringify({ message: { from: 'A"c' } }), 'A"c')).toBe(true);
    expect(jsonMentions(JSON.stringify({ contact: { name: 'Acme', note: '"from":"Acme"' } }), 'Acme')).toBe(false);
  });
});

describe('a phone number', () => {
  it('a phone number is found wherever it is', () => {
    expect(eventMentions(call('+4520304050', ''), '+4520304050')).toBe(true);
    expect(jsonMentions(JSON.stringify({ note: 'call +4520304050' }), '+4520304050')).toBe(true);
  });
});
