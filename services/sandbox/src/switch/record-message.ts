import { announce, type ApplicationRun, completeApplication } from './application-run.ts';
import type { Channel, Execution } from './channel.ts';
import { runQueue } from './park.ts';
import { Recording } from './recording.ts';
import type { SwitchFiles } from './switch-files.ts';
import type { Timer } from './timeline.ts';

/** One run of `record <file> [<seconds at most> [<threshold> [<seconds of silence that end it>]]]`. */
export class RecordMessage implements Execution {
  readonly #channel: Channel;
  readonly #call: ApplicationRun;
  readonly #files: SwitchFiles;
  readonly #silenceSecs: number;
  #recording: Recording | undefined;
  #limit: Timer | undefined;
  #silence: Timer | undefined;
  #speaking = 0;

  constructor(channel: Channel, call: ApplicationRun, { files }: { files: SwitchFiles }) {
    this.#channel = channel;
    this.#call = call;
    this.#files = files;
    this.#silenceSecs = Number(call.argument.split(/\s+/)[3] ?? 0);
  }

  start(): void {
    const channel = this.#channel;
    const [file = '', limitSecs] = this.#call.argument.split(/\s+/);
    channel.execution = this;
    announce(channel, this.#call);
    this.#recording = new Recording(channel, this.#files, file, true);
    if (Number(limitSecs) > 0) this.#limit = channel.core.time.after(Number(limitSecs) * 1000, () => this.#finish());
    this.#listen();
  }

  breakOff(): void {
    this.#finish();
  }

  interrupt(): void {
    this.#finish();
  }

  /** There is no silence while the leg speaks or is about to. */
  speaks(speaking: boolean): void {
    this.#speaking += speaking ? 1 : -1;
    this.#listen();
  }

  /** Silence is measured in the clock's time, not in the faster time of media: a person needs a moment to begin. */
  #listen(): void {
    this.#silence?.cancel();
    this.#silence = undefined;
    if (this.#silenceSecs <= 0 || this.#speaking > 0 || !this.#recording) return;
    this.#silence = this.#channel.core.time.after(this.#silenceSecs * 1000, () => this.#finish());
  }

  #finish(): void {
    const recording = this.#recording;
    if (!recording) return;
    this.#recording = undefined;
    this.#limit?.cancel();
    this.#silence?.cancel();
    const channel = this.#channel;
    const wasCurrent = channel.execution === this;
    if (wasCurrent) channel.execution = undefined;
    recording.stop();
    completeApplication(channel, this.#call, '_none_');
    if (wasCurrent) runQueue(channel);
  }
}
