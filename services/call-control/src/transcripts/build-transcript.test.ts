import { describe, expect, it } from '@jest/globals';
import { buildTranscript } from './build-transcript.ts';

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
