import { mixedLengthMs, mixTracks, mixDown, type Piece } from '../audio/tracks.ts';
import { LiveSound } from '../audio/live-sound.ts';
import { type Sound, withUnfinishedHeader, writeWav } from '../audio/wav.ts';
import type { Channel, ChannelRecording } from './channel.ts';
import type { SwitchFiles } from './switch-files.ts';

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
