import { toInt16 } from '../audio/speech-samples.ts';
import { msIn, readPiece, type RecordingPiece } from './recording-piece.ts';

/** Speech of one speaker without a long pause. */
export interface SpeakerTurn {
  readonly channel: number;
  readonly startMs: number;
  /** At `SPEECH_RATE`. */
  readonly samples: Int16Array;
}

export interface SpeakerTurns {
  readonly durationMs: number;
  /** Per channel: the recording is transcribed up to here. */
  readonly doneUntilMs: readonly number[];
  readonly turns: readonly SpeakerTurn[];
}

/** Splits a recording into the turns of each speaker, without silence. Undefined if it is not a WAV file. */
export function speakerTurnsIn(recording: RecordingPiece): SpeakerTurns | undefined {
  const piece = readPiece(recording);
  if (!piece) return undefined;
  const turns = piece.channels.flatMap(({ channel, samples, stretches }) =>
    stretches.map(({ start, end }) => ({
      channel,
      startMs: msIn(start),
      samples: toInt16(samples.subarray(start, end)),
    })),
  );
  return {
    durationMs: piece.durationMs,
    doneUntilMs: piece.channels.map(({ doneUntilMs }) => doneUntilMs),
    turns: turns.toSorted((a, b) => a.startMs - b.startMs),
  };
}
