import { loudness } from '../audio/loudness.ts';
import { SPEECH_RATE } from '../audio/speech-samples.ts';

/** A stretch of speech in one channel, in samples at `SPEECH_RATE`. */
export interface TimeSpan {
  readonly start: number;
  readonly end: number;
}

const FRAME = SPEECH_RATE / 50;
const MS = SPEECH_RATE / 1000;
/** About -48 dB; a line without a speaker is quieter. */
const LEVEL_MIN = 0.004;
const PAUSE_WITHIN_WORDS_MS = 600;
/** Shorter sounds are clicks. */
const SPEECH_MS_MIN = 120;
const MARGIN_MS = 200;
/** The recogniser looks at 30 s at a time; a pause this long ends a turn of the conversation. */
const STRETCH_MS_MAX = 28_000;
const PAUSE_BETWEEN_TURNS_MS = 2000;

/**
 * Voice activity. The recogniser hallucinates words for silence and may repeat them for minutes, so it is given
 * nothing else: a frame counts when it is well above the channel's own noise.
 */
export function findSpeech(samples: Float32Array): readonly TimeSpan[] {
  const levels = loudness(samples, FRAME);
  const threshold = thresholdOf(levels);
  const sounds = joinNear(
    runs(levels, (level) => level > threshold),
    PAUSE_WITHIN_WORDS_MS * MS,
  ).filter(({ start, end }) => end - start >= SPEECH_MS_MIN * MS);
  const turns = joinNear(sounds, PAUSE_BETWEEN_TURNS_MS * MS, STRETCH_MS_MAX * MS);
  return turns
    .flatMap((turn) => cutLong(turn, levels))
    .map(({ start, end }) => ({
      start: Math.max(0, start - MARGIN_MS * MS),
      end: Math.min(samples.length, end + MARGIN_MS * MS),
    }));
}

function thresholdOf(levels: Float32Array): number {
  const sorted = levels.toSorted();
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  // Without pauses the quietest tenth is speech too: then a fifth of the loudest level is the threshold.
  return Math.max(LEVEL_MIN, Math.min(3 * at(0.1), 0.2 * at(0.95)));
}

function runs(levels: Float32Array, counts: (level: number) => boolean): TimeSpan[] {
  const found: TimeSpan[] = [];
  let start: number | undefined;
  levels.forEach((level, frame) => {
    if (counts(level)) start ??= frame;
    else if (start !== undefined) {
      found.push({ start: start * FRAME, end: frame * FRAME });
      start = undefined;
    }
  });
  if (start !== undefined) found.push({ start: start * FRAME, end: levels.length * FRAME });
  return found;
}

function joinNear(stretches: readonly TimeSpan[], gapMax: number, lengthMax = Infinity): TimeSpan[] {
  const joined: TimeSpan[] = [];
  for (const next of stretches) {
    const last = joined.at(-1);
    if (last && next.start - last.end <= gapMax && next.end - last.start <= lengthMax) {
      joined[joined.length - 1] = { start: last.start, end: next.end };
    } else joined.push(next);
  }
  return joined;
}

/** Speech without pauses is split at the quietest point of the last third. */
function cutLong(stretch: TimeSpan, levels: Float32Array): TimeSpan[] {
  const pieces: TimeSpan[] = [];
  let { start } = stretch;
  while (stretch.end - start > STRETCH_MS_MAX * MS) {
    const latest = Math.floor((start + STRETCH_MS_MAX * MS) / FRAME);
    const earliest = Math.floor((start + (STRETCH_MS_MAX * MS * 2) / 3) / FRAME);
    let quietest = earliest;
    for (let frame = earliest; frame < latest; frame += 1) {
      if (levels[frame]! < levels[quietest]!) quietest = frame;
    }
    pieces.push({ start, end: quietest * FRAME });
    start = quietest * FRAME;
  }
  return [...pieces, { start, end: stretch.end }];
}
