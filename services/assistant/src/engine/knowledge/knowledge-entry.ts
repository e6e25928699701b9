/** Something that callers ask, with its answer. */
export interface KnowledgeEntryFacts {
  readonly id: string;
  readonly title: string;
  readonly answer: string;
  readonly questions: readonly string[];
  /** What `send_text` sends. */
  readonly text: string | null;
  /** Empty for all numbers. */
  readonly businessNumberIds: readonly string[];
  /** YYYY-MM-DD in the time zone of the called number, the last day. */
  readonly validUntil: string | null;
}
