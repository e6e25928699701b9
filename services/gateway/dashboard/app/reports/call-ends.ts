import type { Figures } from './report-queries.ts';

export type CallEnd = 'answered' | 'resolved' | 'message' | 'voicemail' | 'abandoned' | 'missed' | 'others';

/**
 * How calls ended, each call once: every caller who left a voicemail or hung up while waiting is also counted as missed. `inbound`: the
 * same figures of incoming calls only. Of those the ones that are neither answered nor missed are an assistant's, or in progress.
 */
export function callEnds(figures: Figures, inbound: Figures | undefined): Readonly<Record<CallEnd, number>> {
  const { missed, answered } = figures;
  const voicemail = Math.min(figures.voicemails, missed);
  const abandoned = Math.min(figures.abandoned, missed - voicemail);
  const rest = unanswered(figures);
  const resolved = Math.min(figures.assistant_resolved, rest);
  const message = inbound ? Math.max(0, Math.min(figures.assisted, unanswered(inbound), rest) - resolved) : 0;
  return {
    answered,
    resolved,
    message,
    voicemail,
    abandoned,
    missed: missed - voicemail - abandoned,
    others: rest - resolved - message,
  };
}

const unanswered = ({ total, answered, missed }: Figures) => Math.max(0, total - answered - missed);
