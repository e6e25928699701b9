export interface WhisperJob {
  /** At `SPEECH_RATE`, half a minute at most. */
  readonly samples: Int16Array;
  /** A language code of whisper, or `auto`. */
  readonly language: string;
}

/** Words with their times, relative to the start of the samples. */
export interface RecognizedWords {
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
}
