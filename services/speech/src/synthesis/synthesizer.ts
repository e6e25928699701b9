import type { JobContext } from '../workers/job-context.ts';

/** A text to synthesize. */
export interface Utterance {
  readonly text: string;
  /** Language code such as `da` or `pt-BR`. */
  readonly language: string;
  /** A voice of the engine; empty for the language's own. */
  readonly voice: string;
}

export interface Speech {
  /** At `SPEECH_RATE`, one channel. Empty when the text holds nothing that can be pronounced. */
  readonly samples: Int16Array;
  readonly engine: string;
}

/** Text to speech: local engines or a remote endpoint. */
export interface Synthesizer {
  synthesize(utterance: Utterance, context: JobContext): Promise<Speech>;
}
