import { describe, expect, it } from '@jest/globals';
import { callEnds } from './call-ends.ts';
import type { Figures } from './report-queries.ts';

const figures = (counts: Partial<Figures>): Figures =>
  ({
    total: 0,
    answered: 0,
    missed: 0,
    voicemails: 0,
    abandoned: 0,
    assisted: 0,
    assistant_resolved: 0,
    ...counts,
  }) as Figures;
const none = { resolved: 0, message: 0 };

describe('how calls end', () => {
  it('the report of how calls end counts each call once, also when it is missed and a voicemail or abandoned', () => {
    const ends = callEnds(figures({ total: 20, answered: 11, missed: 8, voicemails: 4, abandoned: 3 }), undefined);
    expect(ends).toEqual({ ...none, answered: 11, voicemail: 4, abandoned: 3, missed: 1, others: 1 });
  });

  it('the report of how calls end never counts more voicemails and abandoned calls than were missed', () => {
    const ends = callEnds(figures({ total: 3, answered: 2, missed: 1, voicemails: 2, abandoned: 2 }), undefined);
    expect(ends).toEqual({ ...none, answered: 2, voicemail: 1, abandoned: 0, missed: 0, others: 0 });
  });

  it('the report of how calls end has a place for what an assistant did, and one for calls that nobody answered', () => {
    // 9 callers talked with an assistant: 4 were resolved, 3 left a message, 1 was connected and 1 hung up.
    const inbound = figures({ total: 12, answered: 3, missed: 2, assisted: 9, assistant_resolved: 4 });
    const all = figures({ ...inbound, total: 20, answered: 9 });
    expect(callEnds(all, inbound)).toEqual({
      answered: 9,
      resolved: 4,
      message: 3,
      voicemail: 0,
      abandoned: 0,
      missed: 2,
      others: 2,
    });
    expect(callEnds(all, undefined)).toMatchObject({ resolved: 4, message: 0, others: 5 });
  });

  it('the report of how calls end takes no call in progress for one with an assistant', () => {
    const inbound = figures({ total: 5, answered: 2, missed: 1, assisted: 1, assistant_resolved: 1 });
    expect(callEnds(inbound, inbound)).toMatchObject({ resolved: 1, message: 0, others: 1 });
  });
});
