import { randomUUID } from 'node:crypto';
import type { MovableClock } from '@parley/clock';
import { keyedQueue } from '@parley/queues';
import type { Credentials } from '../event-socket/accounts.ts';
import { EventSocketServer } from '../event-socket/event-socket-server.ts';
import { Leg, type PhoneOwner } from '../legs/leg.ts';
import { Legs } from '../legs/legs.ts';
import { Channel, type Profile } from '../switch/channel.ts';
import { pressKey } from '../switch/dtmf.ts';
import { runFromDialplan } from '../switch/executions.ts';
import { hangup } from '../switch/hangup.ts';
import { causeOfRefusal } from '../switch/hangup-causes.ts';
import { parkByApplication } from '../switch/park.ts';
import { Switch } from '../switch/switch.ts';
import { SwitchFiles } from '../switch/switch-files.ts';
import { SwitchHttp } from '../switch/switch-http.ts';
import { SipTrunk, type SipTrunkOptions } from '../sip-phones/sip-trunk.ts';
import { sayOn, type Speech } from './say.ts';

export interface TelephoneNetworkOptions {
  clock: MovableClock;
  host: string;
  port: number;
  credentials: Credentials;
  /** The factor by which audio is faster than in reality. */
  mediaSpeed: number;
  /** The folder of the switch's files. */
  folder: string;
  /** call-control's port for switches, and `user:password` for it. */
  switchHttp?: { url: string; credentials: string } | undefined;
  /** For calls to SIP addresses; loopback by default. */
  sip?: SipTrunkOptions;
  random?: () => number;
  tickMs?: number;
}

/** An outgoing call as a phone places it. */
export interface Dialing {
  readonly owner: PhoneOwner;
  readonly profile: Profile;
  readonly from: { readonly name: string; readonly number: string };
  readonly to: string;
  readonly variables: Readonly<Record<string, string>>;
}

const LOOPBACK: SipTrunkOptions = { listen: '127.0.0.1:0' };

/** An incoming call that call-control does not claim within fifteen seconds is released as busy. */
const UNCLAIMED_HANGUP = '+15 USER_BUSY';

/** The switch, its event socket, and all phones. */
export class TelephoneNetwork {
  readonly legs = new Legs();
  /** External numbers that are engaged: calls to them fail. */
  readonly busyNumbers = new Set<string>();
  readonly #options: TelephoneNetworkOptions;
  readonly #files: SwitchFiles;
  readonly #http: SwitchHttp;
  readonly #eventSocket: EventSocketServer;
  readonly #startListeners: ((network: Switch) => void)[] = [];
  /** By leg: a person says one thing after the other. */
  readonly #speaking = keyedQueue();
  #switch: Switch;

  constructor(options: TelephoneNetworkOptions) {
    this.#options = options;
    this.#files = new SwitchFiles(options.folder);
    this.#http = new SwitchHttp(options.switchHttp?.url, options.switchHttp?.credentials);
    this.#switch = this.#startSwitch();
    const { host, port, credentials } = options;
    this.#eventSocket = new EventSocketServer({ host, port, credentials, network: () => this.#switch });
  }

  start(): Promise<void> {
    return this.#eventSocket.up();
  }

  async stop(): Promise<void> {
    await this.#eventSocket.stop();
    this.#switch.core.die();
  }

  /** Undefined once the switch has ended it. */
  channelOf(leg: Leg): Channel | undefined {
    return this.#switch.channels.get(leg.id);
  }

  get switch(): Switch {
    return this.#switch;
  }

  /** Called when the switch has been started again: phones register again. */
  onSwitchStart(listener: (network: Switch) => void): void {
    this.#startListeners.push(listener);
  }

  /** `down`: the event socket is unreachable, calls continue. `killed`: the process ends with every call. */
  async setCondition(condition: 'up' | 'down' | 'killed'): Promise<void> {
    if (condition === 'killed' && this.#switch.core.alive) {
      this.#switch.kill();
      for (const leg of this.legs.live()) leg.ends('NETWORK_OUT_OF_ORDER');
    }
    if (condition === 'killed') return this.#eventSocket.down();
    if (condition === 'down') return this.#eventSocket.unreachable();
    if (!this.#switch.core.alive) {
      this.#switch = this.#startSwitch();
      for (const listener of this.#startListeners) listener(this.#switch);
    }
    return this.#eventSocket.up();
  }

  /** A phone calls; the call is parked until it is taken. */
  dial({ owner, profile, from, to, variables }: Dialing): Leg {
    const leg = new Leg(randomUUID(), owner, 'outgoing');
    if (!this.#switch.core.alive) {
      leg.ends('NORMAL_TEMPORARY_FAILURE');
      this.legs.add(leg);
      return leg;
    }
    const channel = new Channel({
      core: this.#switch.core,
      leg,
      direction: 'inbound',
      profile,
      name: `sofia/${profile}/${from.number}@127.0.0.1`,
      caller: from,
      destination: to,
      variables: {
        sip_from_user: from.number,
        sip_req_user: to,
        sip_to_user: to,
        sip_call_id: `${leg.id}@127.0.0.1`,
        sip_network_ip: '127.0.0.1',
        sofia_profile_name: profile,
        endpoint_disposition: 'RECEIVED',
        ...variables,
      },
    });
    this.#switch.add(channel);
    channel.state = 'CS_INIT';
    channel.publish('CHANNEL_CREATE');
    channel.state = 'CS_ROUTING';
    channel.setCallState('RINGING');
    channel.state = 'CS_EXECUTE';
    runFromDialplan(channel, 'sched_hangup', UNCLAIMED_HANGUP);
    parkByApplication(channel);
    return leg;
  }

  /** False for a leg of a browser, which rings and answers by itself. */
  isSimulated(leg: Leg): boolean {
    return this.channelOf(leg)?.link === undefined;
  }

  /** False when the leg is not ringing. */
  answer(leg: Leg): boolean {
    const channel = this.channelOf(leg);
    if (!channel?.onAnswer || channel.link || leg.state !== 'ringing') return false;
    channel.onAnswer();
    return true;
  }

  /** A ringing phone rejects the call; any other hangs up or cancels. */
  hangUp(leg: Leg, refusalStatus = 603): boolean {
    const channel = this.channelOf(leg);
    if (!channel || channel.hungUp) return false;
    hangup(channel, causeOf(channel, refusalStatus), 'party');
    return true;
  }

  /** True while the phone sends audio to the switch. */
  hasMedia(leg: Leg): boolean {
    return this.channelOf(leg)?.hasMedia ?? false;
  }

  /** False when the phone sends no audio to the switch. */
  press(leg: Leg, digits: string): boolean {
    const channel = this.channelOf(leg);
    if (!channel?.hasMedia) return false;
    for (const digit of digits) pressKey(channel, digit, 'RTP');
    return true;
  }

  /** Speaks on a leg, after what is being said there. Resolves when it has been played. False when the leg has no media. */
  say(leg: Leg, speech: Speech): Promise<boolean> {
    return this.#speaking.run(leg.id, async () => {
      const channel = this.channelOf(leg);
      return channel?.hasMedia ? sayOn(channel, speech) : false;
    });
  }

  /** The time until something happens in the network; undefined when nothing is scheduled. */
  nextDueInMs(): number | undefined {
    const { time, mediaTime } = this.#switch.core;
    const due = [time.nextDueInMs(), mediaTime.nextDueInMs()].filter((ms) => ms !== undefined);
    return due.length > 0 ? Math.min(...due) : undefined;
  }

  fireDue(): void {
    this.#switch.core.mediaTime.fireDue();
    this.#switch.core.time.fireDue();
  }

  report(): { busy: number; finished: number } {
    return this.#switch.core.report();
  }

  #startSwitch(): Switch {
    const trunk = new SipTrunk(this.#options.sip ?? LOOPBACK);
    const started = new Switch({
      ...this.#options,
      files: this.#files,
      http: this.#http,
      isBusy: (number) => this.busyNumbers.has(number),
      onChannel: ({ leg, profile }) => {
        if (profile !== 'null') this.legs.add(leg);
      },
      onLateVariable: (uuid, name, value) => {
        this.legs.get(uuid)?.learns(name, value);
      },
      sipAddress: (uri) =>
        SipTrunk.reaches(uri)
          ? { ring: (channel, dialled, onRinging) => channel.core.detach(trunk.ring(channel, dialled, onRinging)) }
          : undefined,
    });
    started.core.onDeath(() => trunk.die());
    return started;
  }
}

function causeOf(channel: Channel, refusalStatus: number): string {
  if (channel.answered) return 'NORMAL_CLEARING';
  return channel.direction === 'inbound' ? 'ORIGINATOR_CANCEL' : causeOfRefusal(refusalStatus);
}
