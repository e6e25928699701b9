import type { Participant } from './participant.ts';

/** A call that rings at one employee's phones. An employee has one of them at most. */
export interface Offer {
  readonly employee: Participant;
  readonly legIds: readonly string[];
}
