import { describe, expect, it } from '@jest/globals';
import type { CallAssistant } from '../calls/model/call-assistant.ts';
import type { Transcript } from '../calls/model/transcript.ts';
import { buildTranscript, listenedFromMs, recordedPart, withPart } from './build-transcript.ts';

const [ada, bob] = [
  { id: 'emp_ada', name: 'Ada' },
  { id: 'emp_bob', name: 'Bob' },
];
const call = { id: 'cal_1', companyId: 'com_1', remoteNumber: '+4520304050', employees: [ada, bob] };
const heard = (channel: number, startMs: number, text: string) => ({ channel, startMs, endMs: startMs + 1000, text });

describe('a transcript', () => {
  it('a transcript has the speakers, also after a transfer', () => {
    const conversationSpans = [
      { employee: ada, recordedMs: 0 },
      { employee: bob, recordedMs: 5000 },
    ];
    const { segments, text } = buildTranscript(
      { ...call, conversationSpans },
      [heard(1, 4800, ' Bob here. '), heard(0, 0, 'Hello.'), heard(1, 1500, 'One moment.'), heard(0, 6000, '  ')],
      'They talked.',
    );
    expect(segments.map(({ speaker, employeeId, text: said }) => [speaker, employeeId, said])).toEqual([
      ['+4520304050', null, 'Hello.'],
      ['Ada', 'emp_ada', 'One moment.'],
      ['Bob', 'emp_bob', 'Bob here.'],
    ]);
    expect(text).toBe('+4520304050: Hello.\nAda: One moment.\nBob: Bob here.');
  });

  it('a transcript of a call whose conversation was not seen to begin is of the employee who answered', () => {
    const { segments } = buildTranscript({ ...call, conversationSpans: [] }, [heard(1, 0, 'Hello.')], null);
    expect(segments[0]).toMatchObject({ speaker: 'Ada', employeeId: 'emp_ada' });
  });
});

describe('a transcript of a call with an assistant', () => {
  const start = new Date('2030-01-01T12:00:00Z');
  const at = (ms: number) => new Date(start.getTime() + ms);
  const recording = (n: number, startedAt: Date) => ({
    name: `cal_1-${n}`,
    kind: 'conversation' as const,
    legId: 'leg',
    startedAt,
    status: 'stored' as const,
    durationMs: 60_000,
    sizeBytes: 1,
  });
  const assisted = {
    ...call,
    assistant: {} as CallAssistant,
    recordings: [recording(1, at(0)), recording(2, at(90_000)), recording(3, at(200_000))],
    conversationSpans: [
      { employee: ada, recordedMs: 4000, recording: 'cal_1-2' },
      { employee: bob, recordedMs: 9000, recording: 'cal_1-2' },
    ],
  };
  const session = {
    source: 'session',
    startedAt: at(500),
    summary: 'Jane called.',
    segments: [{ speaker: 'Robin', text: 'Hello.', employeeId: null, startMs: 0, endMs: 800 }],
  };

  it('a transcript of a call with an assistant is made by listening to employees only', () => {
    const listened = assisted.recordings.map(({ name }) => listenedFromMs(assisted, name));
    expect(listened).toEqual([null, 4000, 0]);
    expect(listenedFromMs({ ...assisted, assistant: undefined }, 'cal_1-1')).toBe(0);
  });

  it('a transcript of a call with an assistant has the session first, however late it is stored', () => {
    const second = recordedPart(
      assisted,
      'cal_1-2',
      [heard(1, 5000, 'Ada here.'), heard(1, 9500, 'And Bob.')],
      'A talk.',
    );
    const third = recordedPart(assisted, 'cal_1-3', [heard(1, 100, 'Bob again.')], null);
    const parts = [third, second, session, second];
    const transcript = parts.reduce<Transcript | undefined>(
      (before, part) => withPart(assisted, before, part),
      undefined,
    );
    expect(transcript?.segments.map(({ speaker, startMs }) => [speaker, startMs])).toEqual([
      ['Robin', 500],
      ['Ada', 95_000],
      ['Bob', 99_500],
      ['Bob', 200_100],
    ]);
    expect(transcript?.summary).toBe('Jane called. A talk.');
    expect(transcript?.text).toBe('Robin: Hello.\nAda: Ada here.\nBob: And Bob.\nBob: Bob again.');
  });
});
