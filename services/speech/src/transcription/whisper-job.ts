export interface WhisperJob {
  /** At `SPEECH_RATE`, half a minute at most. */
  readonly samples: Int16Array;
  /** A code that whisper knows, or `auto`. */
  readonly language: string;
}

/** Words and when they were said, from the beginning of the samples. */
export interface RecognizedWords {
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
}
