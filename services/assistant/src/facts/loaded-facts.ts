import type { SessionFacts } from '../engine/engine.ts';

/** Who is rung for a target. */
export interface Destination {
  readonly name: string;
  readonly employeeIds: readonly string[];
  /** E.164 of a phone outside the company; null for employees. */
  readonly phoneNumber: string | null;
}

/** What is known about a session, and where its targets lead, which no engine needs to know. */
export interface LoadedFacts {
  readonly facts: SessionFacts;
  readonly destinations: ReadonlyMap<string, Destination>;
  readonly contactId: string | null;
}
