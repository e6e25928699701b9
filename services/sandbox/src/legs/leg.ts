import { HeardVoice } from './heard-voice.ts';
import { LegAudio } from './leg-audio.ts';

/** What a person said at a phone. */
export interface Said {
  /** Null for a recording that was played. */
  readonly text: string | null;
  readonly startedAt: Date;
  /** Null while the person speaks. */
  endedAt: Date | null;
}

/** The audio that a phone plays, in order. */
export type Heard =
  | HeardVoice
  | { readonly kind: 'speech'; readonly text: string }
  | { readonly kind: 'ringtone' | 'music' | 'beep' }
  | { readonly kind: 'party'; readonly leg_id: string };

/** The kind of phone: an external one, or an employee's softphone. */
export type PhoneOwner =
  | { readonly kind: 'external'; readonly number: string }
  | { readonly kind: 'employee'; readonly employeeId: string }
  | { readonly kind: 'sip_address'; readonly uri: string };

export type LegState = 'dialing' | 'ringing' | 'connected' | 'on_hold' | 'ended';

/** One phone's side of a call, as the person at the phone sees it. It outlives the switch's channel. */
export class Leg {
  readonly id: string;
  readonly owner: PhoneOwner;
  /** `incoming`: the phone is being called. */
  readonly direction: 'incoming' | 'outgoing';
  /** The number that a ringing phone shows; null on the caller's own phone. */
  readonly from: string | null;
  callId: string | null = null;
  hangupCause: string | undefined;
  readonly audio = new LegAudio();
  /** What its user said, in order. */
  readonly said: Said[] = [];
  readonly #heard: Heard[] = [];
  /** The utterances that are being heard, by their sources. */
  readonly #voices = new Map<string, HeardVoice>();
  #phase: 'dialing' | 'ringing' | 'connected' | 'ended' = 'dialing';
  #onHold = false;
  #metParty = false;

  constructor(id: string, owner: PhoneOwner, direction: 'incoming' | 'outgoing', from: string | null = null) {
    this.id = id;
    this.owner = owner;
    this.direction = direction;
    this.from = from;
  }

  get state(): LegState {
    return this.#phase === 'connected' && this.#onHold ? 'on_hold' : this.#phase;
  }

  get heard(): readonly Heard[] {
    for (const voice of this.#voices.values()) voice.settle();
    return this.#heard;
  }

  get ended(): boolean {
    return this.#phase === 'ended';
  }

  rings(): void {
    if (this.#phase === 'dialing') this.#phase = 'ringing';
  }

  connects(): void {
    if (this.ended) return;
    this.#phase = 'connected';
    this.audio.begin();
  }

  ends(cause: string): void {
    if (this.ended) return;
    this.#phase = 'ended';
    this.hangupCause = cause;
    for (const voice of this.#voices.values()) voice.end();
    this.#voices.clear();
    this.audio.end();
  }

  /** Its user begins to speak. */
  says(text: string | null, at: Date): Said {
    const said: Said = { text, startedAt: at, endedAt: null };
    this.said.push(said);
    return said;
  }

  /** A frame of speech that arrived as audio, or of the silence after it. */
  hearsFrame(source: string, isLoud: boolean, at: Date): void {
    if (this.#voices.get(source)?.frame(isLoud, at) || !isLoud || this.ended) return;
    const voice = new HeardVoice(this.audio, at);
    this.#voices.set(source, voice);
    this.#heard.push(voice);
  }

  /** Continuous tones, music and parties are one entry, also when the switch restarts them. */
  addHeard(heard: Heard): void {
    const last = this.#heard.at(-1);
    const isContinuous = heard.kind === 'ringtone' || heard.kind === 'music' || heard.kind === 'party';
    if (heard.kind === 'party') this.#metParty = true;
    if (isContinuous && last && last.kind === heard.kind && partyOf(last) === partyOf(heard)) return;
    this.#heard.push(heard);
  }

  /** A variable was set by call-control, perhaps after the leg ended: one of them names its call. */
  learns(name: string, value = ''): void {
    if (name === 'app_call') this.callId = value || null;
  }

  holds(onHold: boolean): void {
    this.#onHold = onHold;
  }

  /** True once the phone has been connected with another one. Wait audio after that means that it was put on hold. */
  get hasMetParty(): boolean {
    return this.#metParty;
  }
}

const partyOf = (heard: Heard): string | undefined => (heard.kind === 'party' ? heard.leg_id : undefined);
