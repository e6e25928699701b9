import { randomUUID } from 'node:crypto';
import type { ChannelActivity, Channel } from './channel.ts';
import { hangup } from './hangup.ts';
import type { SwitchCore } from './switch-core.ts';

/** All conferences of the switch. Member ids count up across all of them. */
export class Conferences {
  readonly #core: SwitchCore;
  readonly #byName = new Map<string, Conference>();
  #lastMemberId = 0;

  constructor(core: SwitchCore) {
    this.#core = core;
  }

  get(name: string): Conference | undefined {
    return this.#byName.get(name);
  }

  list(): readonly Conference[] {
    return [...this.#byName.values()];
  }

  /** `room@profile`; the room is created for its first member. */
  join(channel: Channel, room: string): void {
    const [name = '', profile = 'default'] = room.split('@');
    const applicationUuid = randomUUID();
    channel.state = 'CS_EXECUTE';
    channel.setVariable('current_application', 'conference');
    channel.publish('CHANNEL_EXECUTE', {
      Application: 'conference',
      'Application-Data': room,
      'Application-UUID': applicationUuid,
    });
    let conference = this.#byName.get(name);
    if (!conference) {
      conference = new Conference(this.#core, name, profile, () => this.#byName.delete(name));
      this.#byName.set(name, conference);
    }
    conference.add(channel, (this.#lastMemberId += 1), room, applicationUuid);
  }
}

export class Conference {
  readonly core: SwitchCore;
  readonly name: string;
  readonly profile: string;
  readonly uuid = randomUUID();
  readonly members = new Map<number, Member>();
  readonly #onDestroy: () => void;
  #playedMusic = false;

  constructor(core: SwitchCore, name: string, profile: string, onDestroy: () => void) {
    this.core = core;
    this.name = name;
    this.profile = profile;
    this.#onDestroy = onDestroy;
    this.publish('conference-create');
  }

  add(channel: Channel, id: number, room: string, applicationUuid: string): void {
    const member = new Member(this, channel, id, room, applicationUuid);
    this.members.set(id, member);
    channel.activity = member;
    this.publish('add-member', member);
    this.connectParties();
  }

  removed(member: Member): void {
    this.members.delete(member.id);
    this.publish('del-member', member);
    this.connectParties();
    if (this.members.size > 0) return;
    this.core.soon(() => {
      if (this.members.size > 0) return;
      if (this.#playedMusic) this.publish('play-file-done');
      this.publish('conference-destroy');
      this.#onDestroy();
    });
  }

  publish(action: string, member?: Member): void {
    this.core.publishCustom('conference::maintenance', {
      'Conference-Name': this.name,
      'Conference-Size': String(this.members.size),
      'Conference-Profile-Name': this.profile,
      'Conference-Unique-ID': this.uuid,
      ...member?.headers(),
      Action: action,
    });
  }

  hold(member: Member): void {
    this.#playedMusic = true;
    member.held = true;
    member.channel.leg.holds(true);
    member.channel.leg.addHeard({ kind: 'music' });
    this.publish('hold-member', member);
    this.connectParties();
  }

  unhold(member: Member): void {
    const wasHeld = member.held;
    member.held = false;
    member.channel.leg.holds(false);
    this.publish('unhold-member', member);
    this.connectParties();
    if (wasHeld) this.core.soon(() => this.publish('play-file-member-done', member));
  }

  /** Removes a member; nothing follows in its dialplan, so it is hung up. */
  putOut(member: Member, action: 'kick-member' | 'hup-member'): void {
    this.publish(action, member);
    this.core.soon(() => {
      const { channel } = member;
      if (channel.activity !== member) return;
      channel.activity = undefined;
      member.stop('moved');
      hangup(channel, 'NORMAL_CLEARING', 'switch');
    });
  }

  /** Updates which members can hear each other; each phone records the parties it starts to hear. */
  connectParties(): void {
    for (const member of this.members.values()) {
      const audible = [...this.members.values()].filter((other) => other !== member && other.audible && member.canHear);
      for (const other of audible) {
        if (!member.parties.has(other)) member.channel.leg.addHeard({ kind: 'party', leg_id: other.channel.leg.id });
      }
      member.parties = new Set(audible);
    }
  }
}

export class Member implements ChannelActivity {
  readonly name = 'conference';
  readonly conference: Conference;
  readonly channel: Channel;
  readonly id: number;
  held = false;
  muted = false;
  deaf = false;
  /** The parties that the phone hears. */
  parties: ReadonlySet<Member> = new Set();
  readonly #room: string;
  readonly #applicationUuid: string;

  constructor(conference: Conference, channel: Channel, id: number, room: string, applicationUuid: string) {
    this.conference = conference;
    this.channel = channel;
    this.id = id;
    this.#room = room;
    this.#applicationUuid = applicationUuid;
  }

  get audible(): boolean {
    return !this.held && !this.muted;
  }

  get canHear(): boolean {
    return !this.held && !this.deaf;
  }

  headers(): Record<string, string> {
    return {
      ...this.channel.headers(),
      // Hold does not show in these two.
      Hear: String(!this.deaf),
      Speak: String(!this.muted),
      Talking: 'false',
      Hold: String(this.held),
      'Member-ID': String(this.id),
      'Member-Type': 'member',
    };
  }

  stop(reason: 'hangup' | 'moved'): void {
    this.channel.leg.holds(false);
    if (this.held) this.conference.publish('play-file-member-done', reason === 'moved' ? this : undefined);
    this.conference.removed(this);
    this.channel.publish('CHANNEL_EXECUTE_COMPLETE', {
      Application: 'conference',
      'Application-Data': this.#room,
      'Application-Response': '_none_',
      'Application-UUID': this.#applicationUuid,
    });
  }
}

/** The other members that can hear this channel. */
export function conferenceListeners(channel: Channel): readonly Channel[] {
  const member = channel.activity;
  if (!(member instanceof Member) || !member.audible) return [];
  const others = [...member.conference.members.values()].filter((other) => other !== member && other.canHear);
  return others.map((other) => other.channel);
}
