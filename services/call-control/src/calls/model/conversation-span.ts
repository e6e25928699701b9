import type { Participant } from './participant.ts';

/** An employee in conversation with the remote party, from a time of the recording on. */
export interface ConversationSpan {
  readonly employee: Participant;
  readonly recordedMs: number;
}
