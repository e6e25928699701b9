import { describe, expect, it } from '@jest/globals';
import { boardOf, urgency } from './board.ts';

const caller = (id: string, secs: number) => ({
  call_id: id,
  from: '+4520304050',
  contact: null,
  position: 1,
  waiting_secs: secs,
  callback: null,
});
const number = { id: 'num_1', name: 'Main line', open: false, waiting: [], ringing: 0, in_conversation: 0 };
const employee = { id: 'emp_1', name: 'Ada', since: null, call: null };

describe('the wallboard', () => {
  it('the wallboard lists who waits at any number, the longest first, and counts the rest', () => {
    const board = boardOf({
      numbers: [
        { ...number, waiting: [caller('a', 20), caller('b', 5)], ringing: 1, longest_wait_secs: 20 },
        {
          ...number,
          name: 'Workshop',
          open: true,
          waiting: [caller('c', 70)],
          in_conversation: 2,
          longest_wait_secs: 70,
        },
      ],
      employees: [
        { ...employee, status: 'available' },
        { ...employee, status: 'on_call' },
        { ...employee, status: 'logged_out' },
      ],
    });
    expect(board.waiting.map(({ call_id: id, number: name }) => [id, name])).toEqual([
      ['c', 'Workshop'],
      ['a', 'Main line'],
      ['b', 'Main line'],
    ]);
    expect(board).toMatchObject({ ringing: 1, inConversation: 2, available: 1, atWork: 2, isOpen: true });
  });

  it('the wallboard lists who talks with an assistant, the longest conversation first', () => {
    const assisted = (id: string, since: string) => ({
      call_id: id,
      from: '+4520304050',
      contact: null,
      transferring: false,
      assistant: { name: 'Robin', since },
    });
    const board = boardOf({
      numbers: [
        { ...number, longest_wait_secs: 0, assisted: [assisted('a', '2026-11-19T10:00:20.000Z')] },
        { ...number, longest_wait_secs: 0 },
        { ...number, longest_wait_secs: 0, name: 'Workshop', assisted: [assisted('b', '2026-11-19T10:00:05.000Z')] },
      ],
      employees: [],
    });
    expect(board.assisted.map(({ call_id: id, number: name }) => [id, name])).toEqual([
      ['b', 'Workshop'],
      ['a', 'Main line'],
    ]);
  });

  it('the wallboard warns after a minute and alarms after three', () => {
    expect([59, 60, 179, 180].map(urgency)).toEqual(['calm', 'warn', 'warn', 'bad']);
  });
});
