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

/** What was said to an assistant, or in one recording of a call with an assistant. */
export interface TranscriptPart {
  /** `session`, or the name of the recording. */
  readonly source: string;
  /** Their times count from the start of the part. */
  readonly segments: readonly TranscriptSegment[];
  readonly summary: string | null;
  readonly startedAt: Date;
}

/** The transcript of a call. Its id is the call's. */
export interface Transcript {
  readonly id: string;
  readonly companyId: string;
  readonly segments: readonly TranscriptSegment[];
  readonly text: string;
  readonly summary: string | null;
  /** Of a call with an assistant, whose parts are stored one after the other; absent in others. */
  readonly parts?: readonly TranscriptPart[];
}
