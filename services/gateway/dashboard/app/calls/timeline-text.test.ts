import { describe, expect, it } from '@jest/globals';
import { mainSteps, supervisionIn, takeoverIn, timelineSteps } from './timeline-text.ts';

const names = {
  person: 'Mette',
  number: 'Main line',
  direction: 'inbound',
  employee: (id: string) => ({ emp_1: '$& Ada', emp_2: 'Bo' })[id],
} as const;
const entry = (type: string, what: string, more: object = {}) => ({ at: '', cause: '', type, what, ...more });
const texts = (...entries: ReturnType<typeof entry>[]) => timelineSteps(entries, names).map(({ text }) => text);

describe('the steps of a call', () => {
  it('the steps of a call are in words of people, without what only machines care about', () => {
    const steps = timelineSteps(
      [
        entry('state', 'initiated'),
        entry('input', 'key', { detail: '2' }),
        entry('state', 'queued'),
        entry('state', 'transferring'),
        entry('offer', 'offer_made', { employee_id: 'emp_1' }),
        entry('offer', 'offer_made', { employee_id: 'emp_2' }),
        entry('offer', 'offer_answered', { employee_id: 'emp_1' }),
        entry('recording', 'recording_ordered', { cause: 'leg_parked' }),
        entry('state', 'bridged'),
        entry('leg', 'leg_ended', { detail: 'NORMAL_CLEARING' }),
        entry('state', 'ended'),
        entry('leg', 'leg_ended', { employee_id: 'emp_1', detail: 'NORMAL_CLEARING' }),
        entry('command', 'hang_up_refused', { detail: '-ERR No such channel!' }),
      ],
      names,
    );
    expect(mainSteps(steps).map(({ text }) => text)).toEqual([
      'Call arrived on Main line',
      'Pressed 2',
      '$& Ada and Bo were ringing',
      '$& Ada answered',
      'Mette hung up',
    ]);
    expect(steps.map(({ text }) => text).join('\n')).not.toMatch(/leg|parked|NORMAL|refused/);
    expect(steps).toHaveLength(9);
  });

  it('the steps of a call name who left before the end, and who is unknown', () => {
    expect(
      texts(
        entry('offer', 'offer_declined', { employee_id: 'emp_9' }),
        entry('leg', 'leg_ended', { employee_id: 'emp_2' }),
        entry('transfer', 'completed', { employee_id: 'emp_1' }),
      ),
    ).toEqual(['A former employee declined', 'Bo left the call', 'Transferred to $& Ada']);
  });

  it('the steps of a call are at most six, the first and the last', () => {
    const keys = Array.from({ length: 9 }, (_, index) => entry('input', 'key', { detail: String(index) }));
    const main = mainSteps(timelineSteps([entry('state', 'initiated'), ...keys], names));
    expect(main.map(({ text }) => text)).toEqual([
      'Call arrived on Main line',
      'Pressed 0',
      'Pressed 1',
      'Pressed 6',
      'Pressed 7',
      'Pressed 8',
    ]);
  });
});

it('the steps of a call say what its assistant did, and why it left', () => {
  expect(
    texts(
      entry('assistant', 'assistant_connected'),
      entry('assistant', 'transfer_unavailable', { detail: 'Sales' }),
      entry('assistant', 'assistant_connected'),
      entry('assistant', 'assistant_left', { detail: 'key' }),
      entry('assistant', 'assistant_left', { detail: 'message_taken' }),
      entry('assistant', 'session_refused', { detail: 'capacity' }),
    ),
  ).toEqual([
    'The assistant answered',
    'Sales was not available',
    'The assistant went on',
    'The assistant left: the caller pressed 0',
    'Message taken',
    'The assistant did not answer: too many callers at once',
  ]);
});

it('the steps of a call with an assistant say who ended it', () => {
  const left = (detail: string) => entry('assistant', 'assistant_left', { detail });
  const ended = entry('leg', 'leg_ended');
  const over = entry('state', 'ended');
  expect(texts(left('resolved'), ended, ended, over)).toEqual(['Resolved by the assistant', 'The call ended']);
  expect(texts(ended, left('resolved'), ended, over)).toEqual([
    'Mette hung up',
    'Resolved by the assistant',
    'The call ended',
  ]);
  expect(texts(left('key'), ended, entry('state', 'recording'), ended, over)).toEqual([
    'The assistant left: the caller pressed 0',
    'Began a voicemail',
    'Mette hung up',
    'The call ended',
  ]);
});

it('who takes a call over follows from the timeline', () => {
  const takeover = (what: string) => entry('assistant', what, { employee_id: 'e1' });
  expect(takeoverIn([])).toBeUndefined();
  expect(takeoverIn([takeover('takeover_requested'), entry('assistant', 'transfer_started')])).toBe('e1');
  expect(takeoverIn([takeover('takeover_requested'), takeover('takeover_ended')])).toBeUndefined();
  expect(takeoverIn([takeover('takeover_requested'), takeover('takeover_answered')])).toBeUndefined();
});

it('who supervises a call follows from the timeline', () => {
  const entry = (what: string, detail: string) => ({ at: '', type: 'supervision', what, detail, employee_id: 'e1' });
  const requested = entry('supervision_requested', 'listen');
  const started = entry('supervision_started', 'listen');
  const changed = entry('supervision_mode_changed', 'barge');
  expect(supervisionIn([])).toBeUndefined();
  expect(supervisionIn([requested])).toEqual({ employeeId: 'e1', mode: 'listen', isRinging: true });
  expect(supervisionIn([requested, started, changed])).toEqual({ employeeId: 'e1', mode: 'barge', isRinging: false });
  expect(supervisionIn([requested, started, entry('supervision_ended', 'listen')])).toBeUndefined();
});
