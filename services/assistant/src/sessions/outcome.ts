/** What became of a session. */
export type Outcome = (typeof OUTCOMES_AT_END)[number];

export const OUTCOMES_AT_END = [
  'transferred',
  'taken_over',
  'resolved',
  'message_taken',
  'callback_requested',
  'abandoned',
  'failed',
  'fallback',
] as const;
