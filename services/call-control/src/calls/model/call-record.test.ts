import { describe, expect, it } from '@jest/globals';
import { assisted } from '../../../test/test-assisted-call.ts';
import { ada, inbound, transfer } from '../../../test/test-call.ts';
import { completedTransfersOf, outcomeOf, type RecordedCall, storedBytesOf, waitSecsOf } from './call-record.ts';

const startedAt = new Date('2026-03-02T10:00:00Z');
const after = (seconds: number) => new Date(startedAt.getTime() + seconds * 1000);
const received: RecordedCall = { ...inbound(transfer(ada)).call, startedAt };
const ended = { state: 'ended', endedAt: after(40.9) } as const;
const placed = { direction: 'outbound' } as const;
const servedBy = (outcome: 'message_taken' | 'fallback') => ({
  assistant: { ...assisted().call.assistant!, outcome },
});

describe('a call record', () => {
  it.each<[string, Partial<RecordedCall>, ReturnType<typeof outcomeOf>, number | undefined]>([
    ['waits', {}, undefined, undefined],
    ['is in conversation', { answeredAt: after(12.9) }, 'answered', 12],
    ['was answered', { ...ended, answeredAt: after(12.9) }, 'answered', 12],
    ['was answered at once, by clocks that differ', { ...ended, answeredAt: after(-1) }, 'answered', 0],
    ['was missed', ended, 'missed', undefined],
    ['an assistant took care of', { ...ended, ...servedBy('message_taken') }, 'assisted', undefined],
    ['an assistant could not take care of', { ...ended, ...servedBy('fallback') }, 'missed', undefined],
    ['was abandoned', { ...ended, abandoned: true }, 'abandoned', 40],
    ['has a voicemail', { ...ended, voicemailId: 'vcm_1' }, 'voicemail', undefined],
    ['was placed, and answered', { ...placed, ...ended, answeredAt: after(5) }, 'answered', undefined],
    ['was placed, and not answered', { ...placed, ...ended }, 'unanswered', undefined],
    ['rings at the other side', placed, undefined, undefined],
  ])('a call record has the outcome and the wait of a call that %s', (_what, change, outcome, waitSecs) => {
    const call = { ...received, ...change };
    expect([outcomeOf(call), waitSecsOf(call)]).toEqual([outcome, waitSecs]);
  });

  it('a call record has the size of the recordings that are stored', () => {
    const file = (fields: object) =>
      ({ status: 'stored', sizeBytes: 10, ...fields }) as RecordedCall['recordings'][number];
    const lost = [file({ status: 'missing' }), file({ isDeleted: true }), file({ sizeBytes: null })];
    expect(storedBytesOf({ ...received, recordings: [file({}), ...lost, file({ sizeBytes: 32 })] })).toBe(42);
  });

  it('a call record counts completed transfers only', () => {
    const transfers = (['completed', 'cancelled', 'failed', 'completed', 'ringing'] as const).map(
      (state) => ({ state }) as RecordedCall['transfers'][number],
    );
    expect(completedTransfersOf({ ...received, transfers })).toBe(2);
  });
});
