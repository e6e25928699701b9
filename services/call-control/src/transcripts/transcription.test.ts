import { describe, expect, it } from '@jest/globals';
import { isLong, mayWaitMs, orderTranscription } from './transcription.ts';

const order = (durationMs: number, kind: 'conversation' | 'voicemail' = 'voicemail') => {
  const decision = orderTranscription(undefined, {
    id: 'cal_1-1',
    companyId: 'com_1',
    callId: 'cal_1',
    kind,
    durationMs,
  });
  if (!decision.ok) throw new Error('refused');
  return decision.commands[0]!;
};
const MINUTE = 60_000;

/** The lengths in the order of a company's queue: each with the minute in which it was ordered. */
const queued = (...recordings: readonly (readonly [minute: number, durationMs: number])[]) =>
  recordings
    .toSorted(([a, long], [b, short]) => a * MINUTE + mayWaitMs(order(long)) - (b * MINUTE + mayWaitMs(order(short))))
    .map(([, durationMs]) => durationMs);

describe('the order of transcriptions', () => {
  it('the order of transcriptions has the shortest recording first, whether a voicemail or a conversation', () => {
    expect(queued([0, 3_600_000], [0, 600_000], [0, 10_000], [0, 90_000])).toEqual([
      10_000, 90_000, 600_000, 3_600_000,
    ]);
    expect(mayWaitMs(order(10_000, 'conversation'))).toBe(mayWaitMs(order(10_000, 'voicemail')));
  });

  it('the order of transcriptions has a short recording before long ones that were ordered minutes earlier', () => {
    expect(queued([0, 60_000], [0, 600_000], [5, 10_000])).toEqual([10_000, 60_000, 600_000]);
  });

  it('the order of transcriptions has recordings of the same length in the order of their arrival', () => {
    expect(mayWaitMs(order(10_000))).toBe(mayWaitMs(order(10_000)));
  });

  it('the order of transcriptions lets nothing that is ordered half an hour later overtake a recording of any length', () => {
    expect(queued([0, 86_400_000], [30, 1])).toEqual([86_400_000, 1]);
  });

  it('the order of transcriptions keeps places for short recordings', () => {
    expect([order(5000), order(90_000)].map(isLong)).toEqual([false, true]);
  });

  it('the order of transcriptions is that of arrival for recordings of unknown length', () => {
    expect([mayWaitMs(order(0)), isLong(order(0))]).toEqual([0, false]);
  });
});
