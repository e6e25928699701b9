import { describe, expect, it } from '@jest/globals';
import { timelineText } from './timeline-text.ts';

const entry = (type: string, what: string, more: object = {}) => ({ at: '', cause: '', type, what, ...more });
const nameOf = (id: string) => (id === 'emp_1' ? '$& Ada' : undefined);

describe('an entry of the timeline', () => {
  it.each([
    [entry('state', 'initiated'), 'The call started'],
    [entry('offer', 'offer_declined', { employee_id: 'emp_1' }), '$& Ada declined'],
    [entry('offer', 'offer_answered', { employee_id: 'emp_9' }), 'A former employee answered'],
    [entry('input', 'key', { detail: '2' }), 'The caller pressed a key (2)'],
    [
      entry('leg', 'leg_ended', { detail: 'NORMAL_CLEARING' }),
      'The phone of the caller left the call (normal clearing)',
    ],
    [entry('timer', 'no_answer'), 'Time was up: no answer'],
    [entry('later', 'some_new_thing'), 'Some new thing'],
  ])('%j is in words', (given, text) => {
    expect(timelineText(given, nameOf)).toBe(text);
  });
});
