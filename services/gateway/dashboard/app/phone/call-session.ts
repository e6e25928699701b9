import { t } from '../i18n/translate.ts';
import { AUDIO_FAILED, isSilent, type Leg, type LegEvents } from './leg.ts';
import { endOfDialling, endOfRinging, type PhoneCall } from './phone-state.ts';

export interface CallPorts {
  /** Prepares an invitation, which may take a while; what it answers sends it. */
  readonly invite: (user: string, headers: readonly string[]) => Promise<() => Leg>;
  /** True when the switch can be reached now. */
  readonly isConnected: () => boolean;
  /** The employee's call as the API has it; of two, the one with this id. */
  readonly activeCallId: (callId: string | null) => Promise<string | undefined>;
  /** Lets what arrives on a leg be heard. */
  readonly play: (leg: Leg) => void;
  readonly answerOptions: () => object;
  /** The current call, null once it has ended; a notice of null removes the last one. */
  readonly onChange: (call: PhoneCall | null, notice?: string | null) => void;
  readonly now: () => number;
}

/** Only `inviting`, `ringing` and `active` have a leg. */
type Phase =
  | { readonly name: 'preparing' }
  | { readonly name: 'inviting'; readonly leg: Leg }
  | { readonly name: 'ringing'; readonly leg: Leg }
  | { readonly name: 'active'; readonly leg: Leg }
  /** The audio is lost, and so is the connection: it continues when that is back. */
  | { readonly name: 'lost'; readonly leg: Leg }
  /** A new leg replaces one that is gone or silent. The silent one is hung up afterwards: its end would be the end of the call. */
  | { readonly name: 'returning'; readonly leg: Leg | undefined; readonly silent: Leg | undefined }
  | { readonly name: 'ended' };

/** One call of this phone, from the first ring to its end, also over several legs. */
export class CallSession {
  readonly #ports: CallPorts;
  #call: PhoneCall;
  #phase: Phase;

  private constructor(ports: CallPorts, call: PhoneCall, phase: Phase) {
    this.#ports = ports;
    this.#call = call;
    this.#phase = phase;
  }

  /** Calls a number. */
  static dial(ports: CallPorts, number: string, headers: readonly string[]): CallSession {
    const call = { ...newCall, direction: 'outgoing', number } as const;
    const session = new CallSession(ports, call, { name: 'preparing' });
    session.#publish(null);
    void session.#invite(number, headers);
    return session;
  }

  /** A leg that rings here. */
  static incoming(ports: CallPorts, leg: Leg, caller: Pick<PhoneCall, 'number' | 'callId'>): CallSession {
    const session = new CallSession(ports, { ...newCall, ...caller }, { name: 'ringing', leg });
    session.#follow(leg);
    session.#publish(null);
    return session;
  }

  /** Takes the place of the phone that a reload has ended: a phone that calls the id of its employee's call does. */
  static returnTo(ports: CallPorts, remembered: PhoneCall): CallSession {
    const session = new CallSession(ports, remembered, { name: 'preparing' });
    session.#return(undefined);
    return session;
  }

  /** The displayed state: on the way back to a call it rings again. */
  get shown(): PhoneCall {
    if (this.#phase.name !== 'returning') return this.#call;
    return { ...this.#call, direction: 'outgoing', state: 'ringing', activeSince: null };
  }

  get hasEnded(): boolean {
    return this.#phase.name === 'ended';
  }

  get leg(): Leg | undefined {
    return 'leg' in this.#phase ? this.#phase.leg : undefined;
  }

  answer(): void {
    if (this.#phase.name === 'ringing') this.#phase.leg.answer(this.#ports.answerOptions());
  }

  decline(): void {
    if (this.#phase.name === 'ringing') this.#phase.leg.terminate({ status_code: 603, reason_phrase: 'Decline' });
  }

  hangUp(): void {
    const phase = this.#phase;
    switch (phase.name) {
      case 'ended':
        return;
      case 'preparing':
        return this.#end(null);
      case 'returning':
        if (phase.leg) return phase.leg.terminate();
        return this.#end(null);
      case 'lost':
        return this.#end(null);
      default:
        phase.leg.terminate();
    }
  }

  /** The API reports that the call has ended: this phone has lost its connection and does not know. */
  endedElsewhere(callId: string): void {
    if (this.#call.callId === callId && !this.hasEnded) this.hangUp();
  }

  setMuted(isMuted: boolean): void {
    if (isMuted) this.leg?.mute({ audio: true });
    else this.leg?.unmute({ audio: true });
    this.#change({ isMuted });
  }

  identify(callId: string): void {
    if (this.#call.callId !== callId) this.#change({ callId });
  }

  connectionIsBack(): void {
    if (this.#phase.name === 'lost' || (this.#phase.name === 'active' && isSilent(this.#phase.leg)))
      this.#return(this.#phase.leg);
  }

  async #invite(user: string, headers: readonly string[]): Promise<void> {
    const before = this.#phase;
    try {
      const send = await this.#ports.invite(user, headers);
      // Hung up while it was prepared: nobody may be rung now.
      if (this.#phase !== before) return;
      const leg = send();
      this.#phase = before.name === 'returning' ? { ...before, leg } : { name: 'inviting', leg };
      this.#follow(leg);
    } catch (error) {
      if (this.#phase === before)
        this.#end(error instanceof Error ? error.message : t('The call could not be made. Try again.'));
    }
  }

  /** `silent`: the leg whose place the new one takes. */
  #return(silent: Leg | undefined): void {
    const phase: Phase = { name: 'returning', leg: undefined, silent };
    this.#phase = phase;
    this.#publish(t('Returning to the call…'));
    void this.#ports.activeCallId(this.#call.callId).then(
      (activeId) => {
        if (this.#phase !== phase) return undefined;
        if (activeId === undefined || activeId !== this.#call.callId) return this.#end(t('The call has ended.'));
        return this.#invite(activeId, []);
      },
      (error: unknown) => {
        if (this.#phase === phase) this.#end(error instanceof Error ? error.message : t('The call has ended.'));
      },
    );
  }

  /** After a lost network the audio does not come back by itself. False if it is not lost. */
  #recover(leg: Leg): boolean {
    const phase = this.#phase;
    // It is being replaced: it stays until the new one is there.
    if (phase.name === 'returning' && phase.silent === leg) return true;
    if (phase.name === 'lost' && phase.leg === leg) return true;
    if (phase.name !== 'active' || phase.leg !== leg || !isSilent(leg)) return false;
    if (this.#ports.isConnected()) this.#return(leg);
    else {
      this.#phase = { name: 'lost', leg };
      this.#publish(t('The connection is lost. The call continues when it is back.'));
    }
    return true;
  }

  #follow(leg: Leg): void {
    this.#ports.play(leg);
    const terminate = leg.terminate.bind(leg);
    // JsSIP hangs up when the audio has failed permanently, unless it is prevented here.
    leg.terminate = (options) => {
      if (options?.cause !== AUDIO_FAILED || !this.#recover(leg)) terminate(options);
    };
    leg.on('accepted', () => this.#accepted(leg));
    leg.on('failed', (end) => {
      if (this.leg === leg) this.#failed(end);
    });
    leg.on('ended', ({ originator }) => {
      if (this.leg !== leg) return;
      // The switch ends a leg without audio, but the call waits a moment for the employee to return.
      if (originator === 'remote' && this.#recover(leg) && this.#phase.name !== 'lost') return;
      if (this.#phase.name !== 'lost') this.#end(null);
    });
  }

  #accepted(leg: Leg): void {
    if (this.leg !== leg) return;
    const silent = this.#phase.name === 'returning' ? this.#phase.silent : undefined;
    this.#phase = { name: 'active', leg };
    if (silent && !silent.isEnded()) silent.terminate();
    // Somebody who returns muted is not heard by surprise.
    if (this.#call.isMuted) leg.mute({ audio: true });
    this.#call = { ...this.#call, state: 'active', activeSince: this.#call.activeSince ?? this.#ports.now() };
    this.#publish(null);
  }

  #failed({ cause, message }: LegEvents['failed']): void {
    if (this.#phase.name === 'returning') return this.#end(t('The call could not be continued.'));
    if (this.#phase.name === 'inviting') return this.#end(endOfDialling(cause) ?? null);
    const isOwnDecision = cause === 'Rejected' || cause === 'Busy';
    this.#end(isOwnDecision ? null : endOfRinging({ cause, reasonHeader: message?.getHeader?.('Reason') }));
  }

  #end(notice: string | null): void {
    const phase = this.#phase;
    this.#phase = { name: 'ended' };
    if (phase.name === 'returning' && phase.silent && !phase.silent.isEnded()) phase.silent.terminate();
    if (phase.name === 'lost' && !phase.leg.isEnded()) phase.leg.terminate();
    this.#ports.onChange(null, notice);
  }

  #change(change: Partial<PhoneCall>): void {
    this.#call = { ...this.#call, ...change };
    this.#publish();
  }

  #publish(notice?: string | null): void {
    if (this.hasEnded) return;
    this.#ports.onChange(this.shown, notice);
  }
}

const newCall: PhoneCall = {
  direction: 'incoming',
  state: 'ringing',
  number: '',
  callId: null,
  activeSince: null,
  isMuted: false,
};
