import type { JobContext } from '../workers/job-context.ts';
import type { RecordingPiece } from './recording-piece.ts';

/** Words of one speaker. */
export interface Segment {
  /** 0 is the left channel. */
  readonly channel: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
}

export interface Transcript {
  /** In the order of their start. */
  readonly segments: readonly Segment[];
  readonly durationMs: number;
  /** Per channel: the recording is transcribed up to here. */
  readonly doneUntilMs: readonly number[];
  readonly engine: string;
}

/** A recording as it was sent. */
export interface Recording extends RecordingPiece {
  /** Language code; empty when it is not known. */
  readonly language: string;
}

/** Speech to text: a local engine or a remote endpoint. Undefined for what is not a WAV file. */
export interface Transcriber {
  transcribe(recording: Recording, context: JobContext): Promise<Transcript | undefined>;
}
