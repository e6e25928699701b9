import { writeWav } from '@parley/audio';
import { SPEECH_RATE, toInt16 } from '../audio/speech-samples.ts';
import { msIn, readPiece, type RecordingPiece } from './recording-piece.ts';

export interface Channels {
  readonly durationMs: number;
  /** Per channel: the recording is transcribed up to here. */
  readonly doneUntilMs: readonly number[];
  /** A WAV file for each channel with speech, from the first stretch to the last. */
  readonly spoken: readonly { readonly channel: number; readonly startMs: number; readonly wav: Uint8Array }[];
}

/** Splits a recording into its channels. Undefined if it is not a WAV file. */
export function channelsOf(recording: RecordingPiece): Channels | undefined {
  const piece = readPiece(recording);
  if (!piece) return undefined;
  return {
    durationMs: piece.durationMs,
    doneUntilMs: piece.channels.map(({ doneUntilMs }) => doneUntilMs),
    spoken: piece.channels.flatMap(({ channel, samples, stretches }) => {
      const [first, last] = [stretches[0], stretches.at(-1)];
      if (!first || !last) return [];
      const wav = writeWav([toInt16(samples.subarray(first.start, last.end))], SPEECH_RATE);
      return [{ channel, startMs: msIn(first.start), wav }];
    }),
  };
}
