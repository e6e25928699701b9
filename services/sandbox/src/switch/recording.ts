import { clampSample, writeWav } from '@parley/audio';
import { durationMs, type Sound, withUnfinishedHeader } from '../audio/wav.ts';
import type { Channel, ChannelRecording } from './channel.ts';
import type { SwitchFiles } from './switch-files.ts';
import { resample } from '../audio/resample.ts';

/** G.722, the codec of the simulated phones, has 16 kHz. */
const SAMPLE_RATE_DEFAULT = 16_000;

/** A recording of one channel in progress. */
export class Recording implements ChannelRecording {
  readonly path: string;
  readonly #channel: Channel;
  readonly #files: SwitchFiles;
  readonly #sentOnly: boolean;
  readonly #startedMs: number;
  readonly #pieces: Piece[] = [];
  /** The utterances of real phones, by their ids. */
  readonly #live = new Map<string, LiveSound>();
  #maskedSinceMs: number | undefined;

  /** `sentOnly`: the application `record` takes only the audio of the phone, not the audio to it. */
  constructor(channel: Channel, files: SwitchFiles, path: string, sentOnly = false) {
    this.path = path;
    this.#channel = channel;
    this.#files = files;
    this.#sentOnly = sentOnly;
    this.#startedMs = channel.core.mediaTime.now();
    // Like a real switch, which opens the file at once.
    files.write(path, withUnfinishedHeader(writeWav([new Int16Array(0)], SAMPLE_RATE_DEFAULT)));
    channel.recordings.set(path, this);
    channel.publish('RECORD_START', { 'Record-File-Path': path });
  }

  addSent(sound: Sound, startedMs: number): void {
    this.#add(0, sound, startedMs);
  }

  addReceived(sound: Sound, startedMs: number): void {
    if (!this.#sentOnly) this.#add(1, sound, startedMs);
  }

  addLive(track: 'sent' | 'received', utterance: string, { samples, sampleRate }: Sound): void {
    const number = track === 'sent' ? 0 : 1;
    if (this.#maskedSinceMs !== undefined || (this.#sentOnly && number === 1)) return;
    let live = this.#live.get(utterance);
    if (!live) {
      live = new LiveSound(sampleRate);
      this.#live.set(utterance, live);
      const startMs = this.#channel.core.mediaTime.now() - this.#startedMs;
      this.#pieces.push({ track: number, startMs, sound: live });
    }
    live.add(samples);
  }

  /** Nothing is recorded while it is masked. */
  mask(masked: boolean): void {
    this.#maskedSinceMs = masked ? this.#channel.core.mediaTime.now() : undefined;
  }

  /** Writes the file and publishes an event. */
  stop(): void {
    const channel = this.#channel;
    if (!channel.recordings.delete(this.path)) return;
    const { file, durationMs, sampleRate } = this.#render();
    const minimumMs = Number(channel.variable('RECORD_MIN_SEC') ?? 0) * 1000;
    const cause = durationMs < minimumMs ? 'input-too-short' : 'success-silence';
    if (cause === 'input-too-short') this.#files.remove(this.path);
    else this.#files.write(this.path, file);
    channel.setVariable('record_file_size', String(file.length));
    channel.setVariable('record_samples', String(Math.round((durationMs / 1000) * sampleRate)));
    channel.setVariable('record_seconds', String(Math.floor(durationMs / 1000)));
    channel.setVariable('record_ms', String(Math.round(durationMs)));
    channel.setVariable('record_completion_cause', cause);
    channel.publish('RECORD_STOP', { 'Record-File-Path': this.path, 'Record-Completion-Cause': cause });
  }

  /** The switch was killed: the recorded audio stays, under a header with length 0. */
  abandon(): void {
    this.#files.write(this.path, withUnfinishedHeader(this.#render().file));
  }

  #add(track: 0 | 1, sound: Sound, startedMs: number): void {
    if (this.#maskedSinceMs !== undefined || sound.samples.length === 0) return;
    // Sound that began before the recording: what was left of it.
    const lateMs = Math.max(0, this.#startedMs - startedMs);
    const samples = sound.samples.subarray(Math.round((lateMs / 1000) * sound.sampleRate));
    const startMs = Math.max(0, startedMs - this.#startedMs);
    this.#pieces.push({ track, startMs, sound: { samples, sampleRate: sound.sampleRate } });
  }

  recordedMs(): number {
    const endMs = this.#channel.core.mediaTime.now() - this.#startedMs;
    return mixedLengthMs(this.#pieces, endMs);
  }

  #render(): { file: Buffer; durationMs: number; sampleRate: number } {
    const sampleRate = Number(this.#channel.variable('record_sample_rate') ?? SAMPLE_RATE_DEFAULT);
    const endMs = this.#channel.core.mediaTime.now() - this.#startedMs;
    const tracks = mixTracks(this.#pieces, endMs, sampleRate);
    const stereo = this.#channel.isTrue('RECORD_STEREO') && !this.#sentOnly;
    const file = writeWav(stereo ? tracks : [this.#sentOnly ? tracks[0] : mixDown(tracks)], sampleRate);
    return { file, durationMs: (tracks[0].length / sampleRate) * 1000, sampleRate };
  }
}

/** Sound that still grows. */
class LiveSound implements Sound {
  readonly sampleRate: number;
  #chunks: Int16Array[] = [];

  constructor(sampleRate: number) {
    this.sampleRate = sampleRate;
  }

  add(samples: Int16Array): void {
    this.#chunks.push(samples);
  }

  get samples(): Int16Array {
    if (this.#chunks.length === 1) return this.#chunks[0]!;
    const all = new Int16Array(this.#chunks.reduce((length, chunk) => length + chunk.length, 0));
    let at = 0;
    for (const chunk of this.#chunks) {
      all.set(chunk, at);
      at += chunk.length;
    }
    this.#chunks = [all];
    return all;
  }
}

/** A piece of sound in a recording. */
interface Piece {
  /** 0: audio of the phone, 1: audio to the phone. */
  readonly track: 0 | 1;
  /** When it begins, in milliseconds from the start of the recording. */
  readonly startMs: number;
  readonly sound: Sound;
}

/** Real phones send no audio in silence; longer pauses are shortened to a second. */
const PAUSE_MAX_MS = 1000;

/** Computes where the pieces begin once long pauses are cut, and where the recording ends. */
function place(
  pieces: readonly Piece[],
  endMs: number,
): { placed: { piece: Piece; atMs: number }[]; lengthMs: number } {
  const placed: { piece: Piece; atMs: number }[] = [];
  let cutMs = 0;
  let soundEndMs = 0;
  for (const piece of [...pieces].sort((one, other) => one.startMs - other.startMs)) {
    cutMs += Math.max(0, piece.startMs - soundEndMs - PAUSE_MAX_MS);
    // Never before what it follows: the recording cannot go back.
    placed.push({ piece, atMs: piece.startMs - cutMs });
    soundEndMs = Math.max(soundEndMs, piece.startMs + durationMs(piece.sound));
  }
  cutMs += Math.max(0, endMs - soundEndMs - PAUSE_MAX_MS);
  return { placed, lengthMs: Math.max(0, endMs - cutMs) };
}

export function mixedLengthMs(pieces: readonly Piece[], endMs: number): number {
  return place(pieces, endMs).lengthMs;
}

/** Lays the pieces out on two tracks of equal length. Pieces that overlap stay so; long pauses are cut. */
export function mixTracks(pieces: readonly Piece[], endMs: number, sampleRate: number): [Int16Array, Int16Array] {
  const { placed, lengthMs } = place(pieces, endMs);
  const frames = Math.ceil((lengthMs / 1000) * sampleRate);
  const tracks: [Int16Array, Int16Array] = [new Int16Array(frames), new Int16Array(frames)];
  for (const { piece, atMs } of placed) {
    const track = tracks[piece.track];
    const start = Math.round((atMs / 1000) * sampleRate);
    resample(piece.sound, sampleRate).forEach((sample, index) => {
      if (start + index < frames) track[start + index] = clampSample(track[start + index]! + sample);
    });
  }
  return tracks;
}

/** Both tracks in one. */
export function mixDown([sent, received]: readonly [Int16Array, Int16Array]): Int16Array {
  return sent.map((sample, index) => clampSample(sample + (received[index] ?? 0)));
}
