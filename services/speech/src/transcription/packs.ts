import { SPEECH_RATE } from '../audio/speech-samples.ts';
import { cleanWords } from './clean-words.ts';
import type { Segment } from './transcriber.ts';
import type { SpeakerTurn } from './speaker-turns.ts';
import type { RecognizedWords } from './whisper-job.ts';

/** A turn as part of a pack. */
export interface Piece {
  /** The start within the recording. */
  readonly startMs: number;
  /** The start within the pack. */
  readonly offsetMs: number;
  readonly lengthMs: number;
}

/**
 * Turns of one speaker that are transcribed together, with silence between. whisper takes as long for a word as for
 * half a minute, so the many short turns of a conversation would cost ten times as much one by one.
 */
export interface Pack {
  readonly channel: number;
  /** At `SPEECH_RATE`. */
  readonly samples: Int16Array;
  readonly pieces: readonly Piece[];
}

const PACK_MS_MAX = 28_500;
const GAP_MS = 1000;
/** The tolerance of the recogniser's times; words that overlap another turn by more may belong to both. */
const VAGUE_MS = 600;

/** Turns in packs for the recogniser, none of two speakers. */
export function packsOf(turns: readonly SpeakerTurn[]): readonly Pack[] {
  return [...Map.groupBy(turns, ({ channel }) => channel).values()].flatMap((own) => group(own).map(pack));
}

/** The words of a pack at their positions in the recording. Undefined when words cannot be assigned to one turn. */
export function alignWords({ channel, pieces }: Pack, recognized: readonly RecognizedWords[]): Segment[] | undefined {
  const segments: Segment[] = [];
  for (const { startMs, endMs, text: words } of recognized) {
    const text = cleanWords(words);
    if (text === '') continue;
    const shared = ({ offsetMs, lengthMs }: Piece) =>
      Math.min(endMs, offsetMs + lengthMs) - Math.max(startMs, offsetMs);
    const piece = pieces.reduce((best, other) => (shared(other) > shared(best) ? other : best));
    const claims = pieces.filter((other) => other === piece || shared(other) > Math.min(VAGUE_MS, other.lengthMs / 2));
    if (claims.length > 1) return undefined;
    const at = (ms: number) => Math.round(piece.startMs + Math.min(Math.max(ms - piece.offsetMs, 0), piece.lengthMs));
    segments.push({ channel, startMs: at(startMs), endMs: at(endMs), text });
  }
  return segments;
}

/** Each piece of a pack as a separate pack. */
export function unpack({ channel, samples, pieces }: Pack): Pack[] {
  return pieces.map(({ startMs, offsetMs, lengthMs }) => ({
    channel,
    samples: samples.slice(samplesIn(offsetMs), samplesIn(offsetMs + lengthMs)),
    pieces: [{ startMs, offsetMs: 0, lengthMs }],
  }));
}

function group(turns: readonly SpeakerTurn[]): SpeakerTurn[][] {
  const groups: SpeakerTurn[][] = [];
  let roomMs = 0;
  for (const turn of turns) {
    const neededMs = GAP_MS + msOf(turn);
    const last = groups.at(-1);
    if (last && neededMs <= roomMs) {
      last.push(turn);
      roomMs -= neededMs;
    } else {
      groups.push([turn]);
      roomMs = PACK_MS_MAX - msOf(turn);
    }
  }
  return groups;
}

function pack(turns: readonly SpeakerTurn[]): Pack {
  const gap = samplesIn(GAP_MS);
  const samples = new Int16Array(turns.reduce((sum, turn) => sum + turn.samples.length + gap, -gap));
  let at = 0;
  const pieces = turns.map((turn) => {
    samples.set(turn.samples, at);
    const piece = { startMs: turn.startMs, offsetMs: (at * 1000) / SPEECH_RATE, lengthMs: msOf(turn) };
    at += turn.samples.length + gap;
    return piece;
  });
  return { channel: turns[0]!.channel, samples, pieces };
}

function msOf({ samples }: SpeakerTurn): number {
  return (samples.length * 1000) / SPEECH_RATE;
}

function samplesIn(ms: number): number {
  return Math.round((ms * SPEECH_RATE) / 1000);
}
