import { api } from '../api/client.ts';
import { t } from '../i18n/translate.ts';
import { session as employeeSession } from '../session.ts';
import { createStore } from '../ui/store.ts';
import { type CallPorts, CallSession } from './call-session.ts';
import type { Leg } from './leg.ts';
import { microphoneConstraints, PhoneAudio } from './phone-audio.ts';
import { dialledNumber, initialState, type PhoneCall, type PhoneState } from './phone-state.ts';
import { Registration } from './registration.ts';
import { Ringer } from './ringer.ts';
import { SipConnection } from './sip-connection.ts';

/** Stores whether this browser receives calls for this employee. */
const ENABLED_KEY = `parley.available.${employeeSession.employeeId}`;
/** The attempts to read the call to return to, and the delay between them. */
const RETURN = { attempts: 5, waitMs: 1500 };
/** How long after a failure the phone tries to register again. */
const REGISTER_AGAIN_MS = 5000;
/** Keys are part of the audio. The library declares an enum that it does not export: the value is its name. */
const DTMF_IN_AUDIO = { transportType: 'RFC2833' };

/** The phone of this browser: its registration, the call, and one more: a caller who waits, or a conversation on hold. */
class Softphone {
  readonly #state = createStore(initialState);
  readonly #ringer = new Ringer();
  readonly #audio = new PhoneAudio();
  #isRestored = false;
  #call: CallSession | undefined;
  /** Somebody who calls during the call. */
  #waiting: CallSession | undefined;
  /** The conversation that was left for the call. */
  #held: CallSession | undefined;
  #closeNotification: () => void = () => undefined;

  readonly #connection: SipConnection = new SipConnection({
    connected: () => {
      this.#call?.connectionIsBack();
      this.#held?.connectionIsBack();
    },
    disconnected: () => this.#registration.lost(),
    registered: () => this.#registration.registered(),
    unregistered: () => this.#registration.lost(),
    rings: (leg, caller) => this.#rings(leg, caller),
    wantsRegistration: () => this.#registration.isEnabled,
  });

  readonly #registration: Registration = new Registration({
    mayUseMicrophone: () => this.#audio.mayUseMicrophone(),
    register: () => this.#connection.register(),
    unregister: () => this.#stop(),
    later: (action) => window.setTimeout(action, REGISTER_AGAIN_MS),
    onChange: (registration, notice) => {
      localStorage.setItem(ENABLED_KEY, registration.isEnabled ? 'on' : 'off');
      this.#set({ ...registration, ...(notice !== undefined && { notice }) });
    },
  });

  readonly subscribe = this.#state.subscribe;
  readonly current = this.#state.get;
  readonly useState = this.#state.useValue;

  /** Takes calls again if it did when this browser was used last, and returns to the call that the page was in. */
  restore(): void {
    if (this.#isRestored) return;
    this.#isRestored = true;
    const interrupted = rememberedCall('call');
    const held = rememberedCall('held');
    const ready = localStorage.getItem(ENABLED_KEY) === 'on' ? this.setAvailable(true) : Promise.resolve();
    if (!interrupted) return;
    void ready.then(() => {
      if (this.#call) return;
      this.#begin((ports) => CallSession.returnTo(ports, interrupted));
      if (!held || held.callId === interrupted.callId) return;
      this.#held = this.#open((ports) => CallSession.returnTo(ports, held));
      this.#showCalls();
    });
  }

  setAvailable(isEnabled: boolean): Promise<void> {
    if (isEnabled && 'Notification' in window && Notification.permission === 'default')
      void Notification.requestPermission();
    return this.#registration.setEnabled(isEnabled);
  }

  dial(typed: string, businessNumber: string): void {
    if (this.#call) return;
    const headers = [`X-Business-Number: ${businessNumber}`];
    this.#begin((ports) => CallSession.dial(ports, dialledNumber(typed), headers));
  }

  answer(): void {
    this.#call?.answer();
  }

  decline(): void {
    this.#call?.decline();
  }

  hangUp(): void {
    this.#call?.hangUp();
  }

  /** Answers the caller who waits. The server puts a conversation on hold; a call that nobody has answered yet is given up. */
  answerWaiting(): void {
    const waiting = this.#waiting;
    if (this.#call?.shown.state === 'active') {
      this.#held = this.#call;
      this.#call = waiting;
      this.#waiting = undefined;
      this.#showCalls();
    } else this.#call?.hangUp();
    waiting?.answer();
  }

  /** Talks in the conversation on hold again, once the server has resumed it; the other one is on hold then. */
  resumeHeld(): void {
    if (!this.#held) return;
    [this.#call, this.#held] = [this.#held, this.#call];
    this.#hear(this.#call);
    this.#showCalls();
  }

  declineWaiting(): void {
    this.#waiting?.decline();
  }

  setMuted(isMuted: boolean): void {
    this.#call?.setMuted(isMuted);
  }

  /** There is no use in keys before the audio flows. */
  pressKey(key: string): void {
    const leg = this.#call?.leg;
    if (leg?.connection?.connectionState === 'connected') leg.sendDTMF(key, DTMF_IN_AUDIO);
  }

  /** Applies to this call and the next ones. */
  useMicrophone(deviceId: string): Promise<void> {
    return this.#audio.useMicrophone(deviceId, this.#call?.leg?.connection as RTCPeerConnection | undefined);
  }

  /** The id that the API has given to the call. */
  identify(callId: string): void {
    // With two conversations, the API may have responded with the one on hold.
    if (callId !== this.#held?.shown.callId) this.#call?.identify(callId);
  }

  /** The API reports that the call has ended: this phone has lost its connection and does not know. */
  onCallEnded(callId: string): void {
    this.#call?.endedElsewhere(callId);
    this.#held?.endedElsewhere(callId);
  }

  #rings(leg: Leg, caller: Pick<PhoneCall, 'number' | 'callId'>): void {
    if (this.#waiting ?? this.#held) {
      leg.terminate({ status_code: 486, reason_phrase: 'Busy Here' });
      return;
    }
    if (this.#call) {
      this.#waiting = this.#open((ports) => CallSession.incoming(ports, leg, caller));
      this.#showCalls();
    } else {
      this.#begin((ports) => CallSession.incoming(ports, leg, caller));
      this.#ringer.start();
    }
    this.#closeNotification = showCallNotification(caller.number);
  }

  #begin(create: (ports: CallPorts) => CallSession): void {
    this.#call = this.#open(create);
    this.#changed(this.#call, this.#call.shown, null);
  }

  /** A call that tells this phone of its changes from now on. */
  #open(create: (ports: CallPorts) => CallSession): CallSession {
    const own: { session?: CallSession } = {};
    own.session = create({
      invite: (user, headers) => this.#connection.invite(user, headers, () => this.#callOptions()),
      isConnected: () => this.#connection.isConnected,
      activeCallId,
      play: (leg) => this.#play(leg, () => own.session !== this.#held),
      answerOptions: () => this.#callOptions(),
      onChange: (call, notice) => {
        if (own.session) this.#changed(own.session, call, notice);
      },
      now: () => Date.now(),
    });
    return own.session;
  }

  #changed(session: CallSession, call: PhoneCall | null, notice?: string | null): void {
    if (session === this.#waiting) {
      if (call === null) this.#closeNotification();
      if (call === null) this.#waiting = undefined;
      return this.#showCalls();
    }
    if (session === this.#held) {
      if (call === null) this.#held = undefined;
      return this.#showCalls();
    }
    if (session !== this.#call) return;
    if (call?.state !== 'ringing') this.#stopRinging();
    if (call === null) this.#ended();
    this.#set({ call: this.#call?.shown ?? null, ...(notice !== undefined && { notice }) });
  }

  /** Whoever waited rings now; a conversation on hold is the call again. */
  #ended(): void {
    this.#audio.stop();
    const isWaiting = this.#waiting !== undefined;
    this.#call = this.#waiting ?? this.#held;
    this.#waiting = undefined;
    this.#held = undefined;
    this.#showCalls();
    if (isWaiting) this.#ringer.start();
    else if (this.#call) this.#hear(this.#call);
    else if (!this.#registration.isEnabled) this.#stop();
  }

  #showCalls(): void {
    this.#set({
      call: this.#call?.shown ?? null,
      waiting: this.#waiting?.shown ?? null,
      held: this.#held?.shown ?? null,
    });
  }

  #hear({ leg }: CallSession): void {
    if (leg?.connection) this.#audio.hear(leg.connection as RTCPeerConnection);
  }

  #stop(): void {
    // The call goes on; only further calls are not taken.
    if (this.#call) this.#connection.unregister();
    else this.#connection.close();
  }

  #play(leg: Leg, isHeard: () => boolean): void {
    if (leg.connection) this.#audio.play(leg.connection as RTCPeerConnection, isHeard);
    leg.on('peerconnection', ({ peerconnection }) => this.#audio.play(peerconnection, isHeard));
  }

  #stopRinging(): void {
    this.#ringer.stop();
    this.#closeNotification();
  }

  #callOptions() {
    return { mediaConstraints: microphoneConstraints(), pcConfig: { iceServers: this.#connection.iceServers } };
  }

  #set(change: Partial<PhoneState>): void {
    const next = { ...this.#state.get(), ...change };
    // On the way back to a conversation, what is remembered of it stays.
    for (const which of ['call', 'held'] as const)
      if (next[which]?.state !== 'ringing') rememberCall(which, next[which]);
    this.#state.set(next);
  }
}

export const softphone = new Softphone();

/** The employee's call as the API has it; undefined when there is none. The network may only just have come back. */
async function activeCallId(callId: string | null): Promise<string | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { data, response } = await api.GET('/api/v1/calls/active');
      if (response.status < 500)
        return data && data.call.id !== callId ? await heldOr(data.call.id, callId) : data?.call.id;
    } catch (error) {
      if (attempt >= RETURN.attempts) throw error;
    }
    if (attempt >= RETURN.attempts) return undefined;
    await new Promise((resolve) => setTimeout(resolve, RETURN.waitMs));
  }
}

/** The API answers with the conversation that is not on hold: the other one is the employee's as well. */
async function heldOr(activeId: string, callId: string | null): Promise<string> {
  if (callId === null) return activeId;
  const { data } = await api.GET('/api/v1/calls/{id}', { params: { path: { id: callId } } });
  return data?.on_hold === true && data.state !== 'ended' ? callId : activeId;
}

/** The conversations of this window, which a reload returns to. */
type RememberedCall = 'call' | 'held';

const keyOf = (which: RememberedCall): string => `parley.${which}.${employeeSession.employeeId}`;

function rememberCall(which: RememberedCall, call: PhoneCall | null): void {
  if (call) sessionStorage.setItem(keyOf(which), JSON.stringify(call));
  else sessionStorage.removeItem(keyOf(which));
}

function rememberedCall(which: RememberedCall): PhoneCall | undefined {
  const text = sessionStorage.getItem(keyOf(which));
  return text === null ? undefined : (JSON.parse(text) as PhoneCall);
}

/** Shows a notification of the system when nobody looks at the window and it was allowed; answers how to close it. */
function showCallNotification(number: string): () => void {
  if (!document.hidden || !('Notification' in window) || Notification.permission !== 'granted') return () => undefined;
  const notification = new Notification(t('Incoming call'), {
    body: number,
    tag: 'incoming call',
    requireInteraction: true,
  });
  notification.addEventListener('click', () => {
    window.focus();
    notification.close();
  });
  return () => notification.close();
}
