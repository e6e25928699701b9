import { describe, expect, it } from '@jest/globals';
import {
  callsWithVoicemail,
  employeeNames,
  isChanging,
  outcomeText,
  recordingPath,
  remoteNumber,
} from './call-text.ts';

const at = '2026-01-01T10:00:00.000Z';

describe('the outcome of a call', () => {
  it.each([
    ['bridged', 'inbound', at, 'In a call'],
    ['ended', 'inbound', at, 'Answered'],
    ['ended', 'inbound', null, 'Missed'],
    ['ended', 'outbound', null, 'Not answered'],
    ['ended', 'outbound', at, 'Outgoing'],
    ['from_the_future', 'outbound', null, 'In progress'],
  ])('the outcome of a call that is %s, %s, answered at %s, is %s', (state, direction, answered_at, text) => {
    expect(outcomeText({ state: state as 'ended', direction: direction as 'inbound', answered_at })).toBe(text);
  });
});

describe('the outcome of a call with an assistant', () => {
  const assistant = { id: 'ast_1', name: 'Robin', engine: 'embedded' } as const;
  const call = { direction: 'inbound', answered_at: null } as const;
  it.each([
    ['resolved', null, 'Resolved by the assistant'],
    ['callback_requested', null, 'Wants a callback'],
    ['abandoned', null, 'Missed'],
    ['fallback', null, 'Missed'],
    ['transferred', at, 'Answered'],
  ] as const)('the outcome of a call that was %s, answered at %s, is %s', (outcome, answered_at, text) => {
    const ended = {
      ...call,
      state: 'ended',
      answered_at,
      assistant: { ...assistant, state: 'left', outcome },
    } as const;
    expect(outcomeText(ended)).toBe(text);
  });

  it('the outcome of a call with an assistant is what the assistant does until it has left', () => {
    const live = (state: 'talking' | 'transferring' | 'left') =>
      outcomeText({ ...call, state: 'initiated', assistant: { ...assistant, state, outcome: null } });
    expect([live('talking'), live('transferring'), live('left')]).toEqual([
      'Talks with Robin',
      'Connecting',
      'Starting',
    ]);
  });
});

describe('a call that ended with a voicemail', () => {
  const call = { direction: 'inbound', from: '+4520304050', main_number_id: 'num_1', answered_at: null } as const;
  const calls = [
    { ...call, id: 'later', started_at: '2026-01-01T12:00:00.000Z' },
    { ...call, id: 'other number', main_number_id: 'num_2', started_at: '2026-01-01T10:00:30.000Z' },
    { ...call, id: 'with voicemail', started_at: '2026-01-01T10:00:00.000Z' },
    { ...call, id: 'earlier', started_at: '2026-01-01T09:59:00.000Z' },
  ];
  it('a call that ended with a voicemail is the latest of the person before the voicemail', () => {
    const voicemail = { from: call.from, main_number_id: 'num_1', created_at: '2026-01-01T10:01:00.000Z' };
    expect([...callsWithVoicemail(calls, [voicemail])]).toEqual(['with voicemail']);
    expect(callsWithVoicemail(calls, [{ ...voicemail, from: '+4520304051' }]).size).toBe(0);
    expect(outcomeText({ ...call, state: 'ended' }, true)).toBe('Voicemail');
  });
});

describe('the person outside', () => {
  it.each([
    ['inbound', '+4520304050', '+4520304050'],
    ['outbound', '+4520304050', '+4570112233'],
    ['inbound', 'anonymous', undefined],
  ])('the person outside of an %s call from %s has the number %s', (direction, from, number) => {
    expect(remoteNumber({ direction: direction as 'inbound', from, to: '+4570112233' })).toBe(number);
  });
});

describe('the employees of a call', () => {
  it('the employees of a call are named once, the caller first', () => {
    const ada = { id: 'emp_1', name: 'Ada' };
    const bo = { id: 'emp_2', name: 'Bo' };
    expect(employeeNames({ employees: [bo, ada], initiated_by: ada })).toEqual(['Ada', 'Bo']);
    expect(employeeNames({ employees: [] })).toEqual([]);
  });
});

describe('the address of a recording', () => {
  it.each([
    [null, undefined],
    ['https://api.example.com/recordings/a.wav?signature=s', '/recordings/a.wav?signature=s'],
    ['javascript:alert(1)', undefined],
    ['https://', undefined],
  ])('the address %s of a recording is %s', (url, path) => {
    expect(recordingPath(url)).toBe(path);
  });
});

describe('a call', () => {
  const ended = { state: 'ended', answered_at: at, duration: 60, transcription_segments: null } as const;
  const soon = Date.parse(at) + 120_000;
  it.each([
    ['in progress', { ...ended, state: 'queued', answered_at: null } as const, soon, true],
    ['that just ended', ended, soon, true],
    ['that ended long ago', ended, soon + 3_600_000, false],
    ['that nobody answered', { ...ended, answered_at: null }, soon, false],
    ['that is transcribed', { ...ended, transcription_segments: [] }, soon, false],
  ])('a call %s changes or not, as the last column says', (_which, call, now, expected) => {
    expect(isChanging(call, now)).toBe(expected);
  });
});
