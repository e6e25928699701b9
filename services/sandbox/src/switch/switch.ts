import type { Channel } from './channel.ts';
import { Conferences } from './conferences.ts';
import { type ApplicationParts, execute } from './executions.ts';
import { HttpCache } from './http-cache.ts';
import { parkByApplication } from './park.ts';
import { type RealPhone, Registrations } from './registrations.ts';
import { SwitchCore, type SwitchCoreOptions } from './switch-core.ts';
import type { SwitchFiles } from './switch-files.ts';
import type { SwitchHttp } from './switch-http.ts';

export interface SwitchOptions extends SwitchCoreOptions {
  files: SwitchFiles;
  http: SwitchHttp;
  /** Called for every new channel. */
  onChannel(channel: Channel): void;
  /** Called for a variable of a channel that has ended: the switch refuses it. */
  onLateVariable(uuid: string, name: string, value: string): void;
  isBusy(number: string): boolean;
  /** The way to SIP addresses that are no registered phones; undefined where there is none. */
  sipAddress?(uri: string): RealPhone | undefined;
}

/** The list of channels is written later than events are sent; how much later is not bounded on a real switch. */
const LISTED_AFTER_END_MS = 5000;

/** One run of the simulated switch: its channels, conferences, registrations and files. */
export class Switch {
  readonly core: SwitchCore;
  readonly files: SwitchFiles;
  readonly http: SwitchHttp;
  /** Emptied at every start, like the folder of the real one. */
  readonly cache: HttpCache;
  readonly registrations: Registrations;
  readonly conferences: Conferences;
  readonly channels = new Map<string, Channel>();
  /** The list of channels, which still contains those that ended a moment ago. */
  readonly listed = new Map<string, Channel>();
  /** Since this run began. */
  sessionCount = 0;
  readonly onLateVariable: SwitchOptions['onLateVariable'];
  readonly isBusy: SwitchOptions['isBusy'];
  readonly #sipAddress: SwitchOptions['sipAddress'];
  readonly #onChannel: SwitchOptions['onChannel'];

  constructor(options: SwitchOptions) {
    this.core = new SwitchCore(options);
    this.files = options.files;
    this.http = options.http;
    this.cache = new HttpCache(options.http);
    this.registrations = new Registrations(this.core);
    this.conferences = new Conferences(this.core);
    this.#onChannel = options.onChannel;
    this.onLateVariable = options.onLateVariable;
    this.isBusy = options.isBusy;
    this.#sipAddress = options.sipAddress;
  }

  /** A phone at an address, whether it is registered or not. */
  sipAddress(uri: string): RealPhone | undefined {
    return this.#sipAddress?.(uri);
  }

  add(channel: Channel): void {
    this.sessionCount += 1;
    this.channels.set(channel.uuid, channel);
    this.listed.set(channel.uuid, channel);
    channel.onEnd = () => {
      this.channels.delete(channel.uuid);
      setTimeout(() => this.listed.delete(channel.uuid), LISTED_AFTER_END_MS).unref();
    };
    this.#onChannel(channel);
  }

  get parts(): ApplicationParts {
    return {
      cache: this.cache,
      files: this.files,
      joinConference: (channel, room) => this.conferences.join(channel, room),
      channel: (uuid) => this.channels.get(uuid),
    };
  }

  /** Starts the application a leg was created for. */
  start(channel: Channel, application: { name: string; argument: string }): void {
    channel.state = 'CS_EXECUTE';
    if (application.name === 'conference') return this.conferences.join(channel, application.argument);
    parkByApplication(channel);
    if (application.name !== 'park') execute(channel, { ...application, uuid: channel.uuid }, this.parts);
  }

  /** The process is killed: no events are sent, and files that were being written stay incomplete. */
  kill(): void {
    for (const channel of this.channels.values()) {
      for (const recording of channel.recordings.values()) recording.abandon();
    }
    this.core.die();
    this.channels.clear();
    this.listed.clear();
  }
}
