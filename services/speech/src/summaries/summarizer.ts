/** What is to be told in short. */
export interface Conversation {
  /** What was said, in order; each a sentence or more of one speaker. */
  readonly passages: readonly string[];
  /** Language code; empty when it is not known. */
  readonly language: string;
  readonly sentencesMax: number;
}

export interface Summary {
  readonly text: string;
  readonly engine: string;
}

/** Short summaries: key sentences found on this machine, or an endpoint elsewhere. */
export interface Summarizer {
  summarize(conversation: Conversation, signal: AbortSignal): Promise<Summary>;
}
