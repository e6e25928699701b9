/** Something to be spoken. */
export interface Utterance {
  readonly text: string;
  /** Language code such as `da` or `pt-BR`. */
  readonly language: string;
  /** A voice of the engine; empty for the language's own. */
  readonly voice: string;
}

export interface Speech {
  /** At `SPEECH_RATE`, one channel. Empty when the text holds nothing that can be spoken. */
  readonly samples: Int16Array;
  /** Which engine spoke, with its version. */
  readonly engine: string;
}

/** Text to speech: the engines of this machine, or an endpoint elsewhere. */
export interface Synthesizer {
  synthesize(utterance: Utterance, signal: AbortSignal): Promise<Speech>;
}
