import { announce, type ApplicationRun, completeApplication } from './application-run.ts';
import { type AudioSource, openAudio } from './audio-source.ts';
import type { Channel, Execution } from './channel.ts';
import type { HttpCache } from './http-cache.ts';
import { runQueue } from './park.ts';
import type { PlayingSound } from '../legs/leg-audio.ts';
import type { SwitchFiles } from './switch-files.ts';
import type { Timeline, Timer } from './timeline.ts';

export interface PlaybackParts {
  readonly cache: HttpCache;
  readonly files: SwitchFiles;
}

/** Identifies playback among the audio sources of a real phone. */
const SOURCE = 'playback';

/** One run of `playback`, `loop_playback` or `endless_playback`. */
export class Playback implements Execution {
  readonly #channel: Channel;
  readonly #call: ApplicationRun;
  readonly #parts: PlaybackParts;
  readonly #file: string;
  #repetitions: number;
  #source: AudioSource | undefined;
  /** On the media timeline. */
  #startedMs = 0;
  /** On the timeline of this playback. */
  #playedSince = 0;
  #timer: Timer | undefined;
  #heard: PlayingSound | undefined;
  #broken = false;
  download: Promise<unknown> | undefined;

  constructor(channel: Channel, call: ApplicationRun, parts: PlaybackParts) {
    this.#channel = channel;
    this.#call = call;
    this.#parts = parts;
    const loops = call.name === 'loop_playback' ? /^\+?(\d+) +(.*)$/.exec(call.argument) : null;
    this.#file = loops?.[2] ?? call.argument;
    this.#repetitions = call.name === 'endless_playback' ? Infinity : Number(loops?.[1] ?? 1);
  }

  start(): void {
    this.#channel.execution = this;
    announce(this.#channel, this.#call);
    const source = openAudio(this.#file, this.#parts);
    if (!(source instanceof Promise)) return this.#play(source);
    const { core } = this.#channel;
    this.download = core.during(async () => {
      const downloaded = await source;
      this.download = undefined;
      if (core.alive) this.#play(downloaded);
    });
  }

  /** A download cannot be aborted; afterwards it counts as played immediately. */
  breakOff(): void {
    if (this.download) this.#broken = true;
    else if (this.#source) this.#stop('break', 'FILE PLAYED');
  }

  interrupt(): void {
    if (this.#source) this.#stop('done', 'PLAYBACK ERROR');
  }

  #play(source: AudioSource | undefined): void {
    const channel = this.#channel;
    if (!source) return this.#finish('FILE NOT FOUND');
    if (channel.hungUp) return this.#finish('PLAYBACK ERROR');
    this.#source = source;
    this.#startedMs = channel.core.mediaTime.now();
    this.#playedSince = this.#time().now();
    channel.publish('PLAYBACK_START', { 'Playback-File-Path': this.#file });
    if (source.heard && channel.hasMedia) channel.leg.addHeard(source.heard);
    this.#playToPhone(source);
    if (isWaitAudio(source)) channel.leg.holds(channel.leg.hasMetParty);
    if (this.#broken) return this.#stop('break', 'FILE PLAYED');
    if (source.durationMs === Infinity) return;
    this.#timer = this.#time().after(source.durationMs, () => this.#stop('done', 'FILE PLAYED'));
  }

  #stop(status: 'done' | 'break', response: string): void {
    const channel = this.#channel;
    this.#timer?.cancel();
    if (status === 'break' || response !== 'FILE PLAYED') channel.link?.stopPlaying(SOURCE);
    const source = this.#source;
    this.#source = undefined;
    const playedMs = Math.max(0, this.#time().now() - this.#playedSince);
    if (source) this.#record(source, playedMs);
    this.#heard?.stop(source?.durationMs === Infinity ? undefined : playedMs);
    if (source && isWaitAudio(source)) channel.leg.holds(false);
    channel.setVariable('playback_seconds', String(Math.floor(playedMs / 1000)));
    channel.setVariable('playback_ms', String(Math.round(playedMs)));
    channel.publish('PLAYBACK_STOP', { 'Playback-File-Path': this.#file, 'Playback-Status': status });
    // Only the end of the channel's stay in park ends an endless playback: uuid_break starts it again.
    const again = response === 'FILE PLAYED' && (status === 'done' || this.#repetitions === Infinity);
    this.#repetitions -= 1;
    if (again && source && this.#repetitions > 0) this.#play(source);
    else this.#finish(response);
  }

  /** A person at a real phone hears it in real time. */
  #time(): Timeline {
    const { link, core } = this.#channel;
    return link ? core.time : core.mediaTime;
  }

  #playToPhone({ sound, tone, durationMs }: AudioSource): void {
    const heard = sound ?? tone;
    if (!heard) return;
    this.#channel.link?.play(SOURCE, heard, durationMs === Infinity ? 'repeat' : undefined);
    this.#heard = this.#channel.leg.audio.play('heard', heard);
  }

  #record(source: AudioSource, playedMs: number): void {
    if (!source.sound) return;
    const { samples, sampleRate } = source.sound;
    const played = { samples: samples.subarray(0, Math.round((playedMs / 1000) * sampleRate)), sampleRate };
    for (const recording of this.#channel.recordings.values()) recording.addReceived(played, this.#startedMs);
  }

  #finish(response: string): void {
    const channel = this.#channel;
    const wasCurrent = channel.execution === this;
    if (wasCurrent) channel.execution = undefined;
    completeApplication(channel, this.#call, response);
    if (wasCurrent) runQueue(channel);
  }
}

/** Audio for a waiting phone: before a party has answered, and on hold. */
function isWaitAudio({ heard }: AudioSource): boolean {
  return heard?.kind === 'music' || heard?.kind === 'ringtone';
}
