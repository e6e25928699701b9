import { readRecording, resample } from '@parley/audio';
import { SPEECH_RATE } from '../audio/speech-samples.ts';
import { findSpeech, type TimeSpan } from './voice-activity.ts';

/** A recording, or a piece of a longer one. Times are relative to the piece. */
export interface RecordingPiece {
  readonly wav: Uint8Array;
  /** Per channel: earlier pieces are transcribed up to here; 0 without speech. */
  readonly doneUntilMs?: readonly number[] | undefined;
  /** Another piece follows: speech that continues at the end is left to it. */
  readonly moreFollows?: boolean | undefined;
}

/** One speaker's part of a piece. */
export interface PieceChannel {
  readonly channel: number;
  /** At `SPEECH_RATE`, the whole channel. */
  readonly samples: Float32Array;
  /** The speech of this piece, without what an earlier piece covered and what is left to the next one. */
  readonly stretches: readonly TimeSpan[];
  /** Up to where this piece covers the channel. */
  readonly doneUntilMs: number;
}

export interface PieceChannels {
  readonly durationMs: number;
  readonly channels: readonly PieceChannel[];
}

/** A pause of this length ends a turn; after a shorter one it may continue in the next piece. */
const PAUSE_MS = 2000;
/** If a piece ends in silence, its end may contain a sound that is too short to be detected. */
const ONSET_MS = 200;

/** Reads a piece and detects its speech. Undefined if it is not a recording of a call. */
export function readPiece({ wav, doneUntilMs = [], moreFollows = false }: RecordingPiece): PieceChannels | undefined {
  const sound = readRecording(wav);
  if (!sound) return undefined;
  const durationMs = Math.round(((sound.channels[0]?.length ?? 0) * 1000) / sound.rate);
  const channels = sound.channels.map((original, channel) => {
    const samples = resample(original, sound.rate, SPEECH_RATE);
    const from = Math.min(samples.length, Math.max(0, samplesIn(doneUntilMs[channel] ?? 0)));
    const found = findSpeech(samples.subarray(from)).map(({ start, end }) => ({
      start: start + from,
      end: end + from,
    }));
    const { stretches, until } = moreFollows
      ? withoutUnfinished(found, from, samples.length)
      : { stretches: found, until: samples.length };
    return { channel, samples, stretches, doneUntilMs: moreFollows ? msIn(until) : durationMs };
  });
  return { durationMs, channels };
}

/** Leaves the last stretch to the next piece if it may continue there, as long as this piece makes progress. */
function withoutUnfinished(found: readonly TimeSpan[], from: number, length: number) {
  const last = found.at(-1);
  const endsInSilence = !last || length - last.end > samplesIn(PAUSE_MS);
  if (endsInSilence) return { stretches: found, until: Math.max(from, length - samplesIn(ONSET_MS)) };
  const leavesProgress = last.start - from >= (length - from) / 2;
  return leavesProgress ? { stretches: found.slice(0, -1), until: last.start } : { stretches: found, until: length };
}

export function msIn(samples: number): number {
  return Math.round((samples * 1000) / SPEECH_RATE);
}

function samplesIn(ms: number): number {
  return Math.round((ms * SPEECH_RATE) / 1000);
}
