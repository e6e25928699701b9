import type { Leg } from '../legs/leg.ts';
import type { Sound } from '../audio/wav.ts';
import type { PhoneLink } from './phone-link.ts';
import type { SwitchCore } from './switch-core.ts';
import type { Timer } from './timeline.ts';

export type Profile = 'internal' | 'external' | 'null';

export interface ChannelActivity {
  readonly name: 'park' | 'bridge' | 'conference';
  /** Ends it, with the events a real switch shows then; `moved`: the channel continues with another application. */
  stop(reason: 'hangup' | 'moved'): void;
}

/** An application that runs on a parked channel, such as a playback. */
export interface Execution {
  /** Called by uuid_break. */
  breakOff(): void;
  /** Called by a hang-up or a transfer of the channel. */
  interrupt(): void;
  /** A download that nothing can interrupt; the channel waits for it. */
  readonly download?: Promise<unknown> | undefined;
}

/** A recording of the channel in progress. Times are of the media timeline. */
export interface ChannelRecording {
  addSent(sound: Sound, startedMs: number): void;
  addReceived(sound: Sound, startedMs: number): void;
  /** A frame of a real phone, as it comes: those of one utterance are one piece of sound. */
  addLive(track: 'sent' | 'received', utterance: string, frame: Sound): void;
  mask(masked: boolean): void;
  recordedMs(): number;
  /** Writes the file and publishes an event. */
  stop(): void;
  /** The switch was killed: leaves behind what there is. */
  abandon(): void;
}

export interface ChannelOptions {
  core: SwitchCore;
  leg: Leg;
  direction: 'inbound' | 'outbound';
  profile: Profile;
  name: string;
  caller: { readonly name: string; readonly number: string };
  destination: string;
  context?: string;
  variables?: Readonly<Record<string, string>>;
}

/** The values of `variable_sip_hangup_disposition`. */
export type Disposition = 'recv_bye' | 'send_bye' | 'recv_cancel' | 'send_cancel' | 'recv_refuse' | 'send_refuse';

/** One leg as the switch sees it. */
export class Channel {
  readonly core: SwitchCore;
  readonly leg: Leg;
  readonly uuid: string;
  readonly direction: 'inbound' | 'outbound';
  readonly profile: Profile;
  readonly name: string;
  readonly caller: { readonly name: string; readonly number: string };
  readonly destination: string;
  readonly context: string;
  readonly variables = new Map<string, string>();
  readonly createdMicros: number;

  state = 'CS_NEW';
  callState = 'DOWN';
  answerState: 'ringing' | 'early' | 'answered' | 'hangup' = 'ringing';
  answeredMicros = 0;
  progressMicros = 0;
  bridgedMicros = 0;
  hangupMicros = 0;
  hangupCause: string | undefined;
  disposition: Disposition | undefined;
  otherLegUuid: string | undefined;

  /** Undefined for simulated phones. */
  link: PhoneLink | undefined;
  activity: ChannelActivity | undefined;
  execution: Execution | undefined;
  /** Applications that wait until the channel is parked and idle. */
  readonly queue: (() => void)[] = [];
  /** Channels that listen to this one without being bridged with it. */
  readonly eavesdroppers = new Set<Execution & { readonly channel: Channel }>();
  readonly recordings = new Map<string, ChannelRecording>();
  readonly scheduledHangups = new Set<Timer>();
  /** Called by an answering phone, or by a phone that refuses, while an originate waits. */
  onAnswer: (() => void) | undefined;
  onHangup: (() => void) | undefined;
  onEnd: (() => void) | undefined;
  /** True once something else than its originate has taken the channel. */
  taken = false;

  constructor(options: ChannelOptions) {
    this.core = options.core;
    this.leg = options.leg;
    this.uuid = options.leg.id;
    this.direction = options.direction;
    this.profile = options.profile;
    this.name = options.name;
    this.caller = options.caller;
    this.destination = options.destination;
    this.context = options.context ?? (options.direction === 'inbound' ? 'public' : 'default');
    this.createdMicros = this.core.nowMicros();
    const { variables } = this;
    variables.set('direction', options.direction);
    variables.set('uuid', this.uuid);
    variables.set('call_uuid', this.uuid);
    for (const [name, value] of Object.entries(options.variables ?? {})) this.setVariable(name, value);
  }

  get hungUp(): boolean {
    return this.hangupCause !== undefined;
  }

  get answered(): boolean {
    return this.answeredMicros > 0;
  }

  /** Sound reaches the phone: it has answered, or it gets early media. */
  get hasMedia(): boolean {
    return !this.hungUp && (this.answerState === 'answered' || this.answerState === 'early');
  }

  variable(name: string): string | undefined {
    return this.variables.get(name);
  }

  isTrue(name: string): boolean {
    return /^(true|yes|on|1)$/i.test(this.variables.get(name) ?? '');
  }

  setVariable(name: string, value: string | undefined): void {
    if (value === undefined || value === '') this.variables.delete(name);
    else this.variables.set(name, value);
    this.leg.learns(name, value);
  }

  /** An event with the channel's variables, as most CHANNEL_*, PLAYBACK_* and RECORD_* events have them. */
  publish(name: string, more: Readonly<Record<string, string>> = {}): void {
    this.core.publish(name, { ...this.headers(), ...this.#callerHeaders(), ...this.#variableHeaders(), ...more });
  }

  /** An event without variables: CHANNEL_CALLSTATE, CHANNEL_OUTGOING, DTMF. */
  publishPlain(name: string, more: Readonly<Record<string, string>> = {}): void {
    this.core.publish(name, { ...this.headers(), ...more });
  }

  /** The headers of a SIP request to its phone that call-control has set, by variables such as `sip_h_X-Call`. */
  ownSipHeaders(): Record<string, string> {
    const own = [...this.variables].filter(([name]) => name.startsWith('sip_h_X-'));
    return Object.fromEntries(own.map(([name, value]) => [name.slice('sip_h_'.length), value]));
  }

  setCallState(next: string): void {
    const before = this.callState;
    if (before === next) return;
    this.callState = next;
    this.publishPlain('CHANNEL_CALLSTATE', { 'Original-Channel-Call-State': before });
  }

  /** The headers that identify the channel in every event, including those of a conference. */
  headers(): Record<string, string> {
    return {
      'Channel-State': this.state,
      'Channel-Call-State': this.callState,
      'Channel-Name': this.name,
      'Unique-ID': this.uuid,
      'Call-Direction': this.direction,
      'Channel-Call-UUID': this.uuid,
      'Answer-State': this.answerState,
      ...(this.hangupCause !== undefined && { 'Hangup-Cause': this.hangupCause }),
      ...(this.otherLegUuid !== undefined && { 'Other-Leg-Unique-ID': this.otherLegUuid }),
    };
  }

  /** Everything: what uuid_dump shows. */
  dump(): Record<string, string> {
    return { ...this.headers(), ...this.#callerHeaders(), ...this.#variableHeaders() };
  }

  #callerHeaders(): Record<string, string> {
    return {
      'Caller-Direction': this.direction,
      'Caller-Username': this.caller.number,
      'Caller-Caller-ID-Name': this.caller.name,
      'Caller-Caller-ID-Number': this.caller.number,
      'Caller-Network-Addr': '127.0.0.1',
      'Caller-ANI': this.caller.number,
      'Caller-Destination-Number': this.destination,
      'Caller-Unique-ID': this.uuid,
      'Caller-Source': 'mod_sofia',
      'Caller-Context': this.context,
      'Caller-Channel-Name': this.name,
      'Caller-Channel-Created-Time': String(this.createdMicros),
      'Caller-Channel-Answered-Time': String(this.answeredMicros),
      'Caller-Channel-Progress-Time': String(this.progressMicros),
      'Caller-Channel-Hangup-Time': String(this.hangupMicros),
      'Caller-Channel-Bridged-Time': String(this.bridgedMicros),
      'Caller-Privacy-Hide-Number': String(this.caller.number === 'anonymous'),
    };
  }

  #variableHeaders(): Record<string, string> {
    const headers: Record<string, string> = {};
    for (const [name, value] of this.variables) headers[`variable_${name}`] = value;
    return headers;
  }
}
