import { describe, expect, it } from '@jest/globals';
import { actionText, sourceText } from './trial-texts.ts';

const result = 'simulated' as const;
const nameOf = (id: string) => (id === 'tgt_1' ? 'Sales' : undefined);

describe('an assistant that is tried', () => {
  it.each([
    ['transfer_call', { target: 'tgt_1' }, 'In a call, Sales would ring now.'],
    ['transfer_call', { target: 'tgt_9' }, 'In a call, somebody would ring now.'],
    ['take_message', { text: 'Call me' }, 'In a call, it would take the message “Call me”.'],
    ['end_call', {}, 'In a call, it would hang up now.'],
    ['fly_away', {}, 'fly_away'],
  ])('an assistant that is tried says what it would do: %s', (action, given, text) => {
    expect(actionText({ action, arguments: given, result }, nameOf)).toBe(text);
  });

  it('an assistant that is tried says where its answers are from', () => {
    expect(sourceText('business_hours')).toBe('From the business hours');
    expect(sourceText('a_later_kind')).toBe('a_later_kind');
  });
});
