import type { Figures } from './report-queries.ts';

export type CallEnd = 'answered' | 'voicemail' | 'abandoned' | 'missed' | 'others';

/** How calls ended, each call once: every caller who left a voicemail or hung up while waiting is also counted as missed. */
export function callEnds(figures: Figures): Readonly<Record<CallEnd, number>> {
  const { total, answered, missed } = figures;
  const voicemail = Math.min(figures.voicemails, missed);
  const abandoned = Math.min(figures.abandoned, missed - voicemail);
  return {
    answered,
    voicemail,
    abandoned,
    missed: missed - voicemail - abandoned,
    others: Math.max(0, total - answered - missed),
  };
}
