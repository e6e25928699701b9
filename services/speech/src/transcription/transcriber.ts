/** Words of one speaker. */
export interface Segment {
  /** 0 is the left channel. */
  readonly channel: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
}

export interface Transcript {
  /** In the order in which they were begun. */
  readonly segments: readonly Segment[];
  readonly channelCount: number;
  readonly durationMs: number;
  readonly engine: string;
}

/** A recording as it was sent. */
export interface Recording {
  readonly wav: Uint8Array;
  /** Language code; empty when it is not known. */
  readonly language: string;
}

/** Speech to text: the engine of this machine, or an endpoint elsewhere. Undefined for what is not a WAV file. */
export interface Transcriber {
  transcribe(recording: Recording, signal: AbortSignal): Promise<Transcript | undefined>;
}
