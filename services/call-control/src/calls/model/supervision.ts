import type { Participant } from './participant.ts';

/** `listen`: nobody hears the supervisor; `whisper`: the employee does; `barge`: both sides do. */
export type SupervisionMode = 'listen' | 'whisper' | 'barge';

/** An admin listens to a conversation with a phone of their own. */
export interface Supervision {
  readonly supervisor: Participant;
  readonly mode: SupervisionMode;
  /** The supervisor's phones; the one that answered once one has. */
  readonly legIds: readonly string[];
  readonly hasAnswered: boolean;
  /** The employee's leg that the switch was ordered to let the supervisor hear; null before. */
  readonly watchedLegId: string | null;
}
