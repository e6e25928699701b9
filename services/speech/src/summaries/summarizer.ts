import type { JobContext } from '../workers/job-context.ts';

export interface Conversation {
  /** The transcript in order; each entry has one or more sentences of one speaker. */
  readonly passages: readonly string[];
  /** Language code; empty when it is not known. */
  readonly language: string;
  readonly sentencesMax: number;
}

export interface Summary {
  readonly text: string;
  readonly engine: string;
}

/** Summaries: key sentences found locally, or a remote endpoint. */
export interface Summarizer {
  summarize(conversation: Conversation, context: JobContext): Promise<Summary>;
}
