import { describe, expect, it } from '@jest/globals';
import { callEnds } from './call-ends.ts';
import type { Figures } from './report-queries.ts';

const figures = (counts: Partial<Figures>): Figures =>
  ({ total: 0, answered: 0, missed: 0, voicemails: 0, abandoned: 0, ...counts }) as Figures;

describe('how calls end', () => {
  it('the report of how calls end counts each call once, also when it is missed and a voicemail or abandoned', () => {
    const ends = callEnds(figures({ total: 20, answered: 11, missed: 8, voicemails: 4, abandoned: 3 }));
    expect(ends).toEqual({ answered: 11, voicemail: 4, abandoned: 3, missed: 1, others: 1 });
  });

  it('the report of how calls end never counts more voicemails and abandoned calls than were missed', () => {
    const ends = callEnds(figures({ total: 3, answered: 2, missed: 1, voicemails: 2, abandoned: 2 }));
    expect(ends).toEqual({ answered: 2, voicemail: 1, abandoned: 0, missed: 0, others: 0 });
  });
});
