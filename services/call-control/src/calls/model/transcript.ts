/** One utterance. */
export interface TranscriptSegment {
  /** An employee's name, or the remote number. */
  readonly speaker: string;
  readonly text: string;
  /** Null for the remote party. */
  readonly employeeId: string | null;
  readonly startMs: number;
  readonly endMs: number;
}

/** The transcript of a call. Its id is the call's. */
export interface Transcript {
  readonly id: string;
  readonly companyId: string;
  readonly segments: readonly TranscriptSegment[];
  readonly text: string;
  readonly summary: string | null;
}
