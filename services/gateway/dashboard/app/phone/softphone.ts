import type { UA } from 'jssip';
import type { DTMFOptions, RTCSession } from 'jssip/lib/RTCSession';
import { api } from '../api/client.ts';
import type { SoftphoneSession } from '../api/schema.d.ts';
import { session as employeeSession } from '../session.ts';
import { rememberCall, rememberedCall } from './call-memory.ts';
import { showCallNotification } from './call-notification.ts';
import { PhoneCredentials } from './credentials.ts';
import { PhoneAudio } from './phone-audio.ts';
import {
  dialledNumber,
  endOfDialling,
  endOfRinging,
  initialState,
  MICROPHONE_DENIED,
  type PhoneCall,
  type PhoneState,
} from './phone-state.ts';
import { Ringer } from './ringer.ts';

/** Whether this browser takes calls for this employee. */
const WANTED_KEY = `parley.available.${employeeSession.employeeId}`;
/** How often and how long after each other the API is asked for the call to return to. */
const RETURN = { attempts: 5, waitMs: 1500 };
/** JsSIP's word for it. */
const AUDIO_FAILED = 'RTP Timeout';
/** Its types declare an enum that the library does not export: the value is its name. */
const DTMF_IN_AUDIO = 'RFC2833' as NonNullable<DTMFOptions['transportType']>;

/** The phone of this browser: SIP over WebSocket, audio by WebRTC. One call at a time. */
class Softphone {
  #state = initialState;
  readonly #listeners = new Set<() => void>();
  readonly #credentials = new PhoneCredentials((renewed) => this.#useCredential(renewed));
  readonly #ringer = new Ringer();
  readonly #audio = new PhoneAudio();
  #agent: Promise<UA> | undefined;
  #iceServers: RTCIceServer[] = [];
  #isRestored = false;
  #session: RTCSession | undefined;
  /** The connection to the switch. */
  #isConnected = false;
  /** The session without audio that a new one takes the place of. */
  #replaced: RTCSession | undefined;
  /** The call that a reload interrupted, until this phone has taken its place again. */
  #returnsTo: PhoneCall | undefined;
  #closeNotification: () => void = () => undefined;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly current = (): PhoneState => this.#state;

  /** Takes calls again if it did when this browser was used last, and returns to the call that the page was in. */
  restore(): void {
    if (this.#isRestored) return;
    this.#isRestored = true;
    const ready = localStorage.getItem(WANTED_KEY) === 'on' ? this.setAvailable(true) : Promise.resolve();
    const interrupted = rememberedCall();
    if (interrupted) void ready.then(() => this.#returnTo(interrupted));
  }

  async setAvailable(isWanted: boolean): Promise<void> {
    localStorage.setItem(WANTED_KEY, isWanted ? 'on' : 'off');
    this.#set({ isWanted, notice: null });
    if (!isWanted) return this.#stop();
    if (!(await this.#audio.mayUseMicrophone())) {
      localStorage.setItem(WANTED_KEY, 'off');
      return this.#set({ isWanted: false, notice: MICROPHONE_DENIED });
    }
    if ('Notification' in window && Notification.permission === 'default') void Notification.requestPermission();
    this.#set({ registration: 'connecting' });
    try {
      (await this.#start()).register();
    } catch (error) {
      this.#set({ registration: 'off', isWanted: false, notice: messageOf(error) });
    }
  }

  async dial(typed: string, businessNumber: string): Promise<void> {
    if (this.#session) return;
    const number = dialledNumber(typed);
    this.#set({ notice: null, call: { ...newCall, direction: 'outgoing', number } });
    try {
      await this.#invite(number, [`X-Business-Number: ${businessNumber}`]);
    } catch (error) {
      this.#set({ call: null, notice: messageOf(error) });
    }
  }

  async #invite(user: string, extraHeaders: string[] = []): Promise<void> {
    const agent = await this.#start();
    const { sip_uri: uri } = await this.#credentials.get();
    agent.call(`sip:${encodeURIComponent(user)}@${uri.split('@')[1]}`, { ...this.#callOptions(), extraHeaders });
  }

  /** A phone that calls the id of its employee's call takes the place of the one that was lost. */
  async #returnTo(interrupted: PhoneCall): Promise<void> {
    this.#returnsTo = interrupted;
    const call = {
      ...interrupted,
      direction: 'outgoing',
      state: 'ringing',
      activeSince: null,
    } as const;
    this.#set({ call, notice: 'Returning to the call…' });
    try {
      const activeId = await activeCallId();
      // Hung up meanwhile.
      if (this.#returnsTo !== interrupted) return;
      if (activeId === undefined || activeId !== interrupted.callId) return this.#end('The call has ended.');
      await this.#invite(activeId);
    } catch (error) {
      this.#end(messageOf(error));
    }
  }

  /**
   * After a lost network the audio does not come back by itself: a new leg takes the place of this one, as soon as there is a
   * connection to the switch. False if the audio is not lost.
   */
  #recoverAudio(): boolean {
    const { call } = this.#state;
    const isLost = ['disconnected', 'failed'].includes(this.#session?.connection?.iceConnectionState ?? '');
    if (!isLost || call?.state !== 'active') return false;
    if (!this.#isConnected) {
      this.#set({ notice: 'The connection is lost. The call continues when it is back.' });
      return true;
    }
    // Not hung up: its end would be the end of the call. That is done once the new one is there.
    this.#replaced = this.#session;
    this.#session = undefined;
    void this.#returnTo(call);
    return true;
  }

  answer(): void {
    if (this.#state.call?.state === 'ringing') this.#session?.answer(this.#callOptions());
  }

  decline(): void {
    this.#session?.terminate({ status_code: 603, reason_phrase: 'Decline' });
  }

  hangUp(): void {
    if (this.#session) this.#session.terminate();
    else this.#end(undefined);
  }

  setMuted(isMuted: boolean): void {
    if (isMuted) this.#session?.mute({ audio: true });
    else this.#session?.unmute({ audio: true });
    this.#setCall({ isMuted });
  }

  /** Keys are part of the audio: there is no use in them before it flows. */
  pressKey(key: string): void {
    if (this.#session?.connection?.connectionState !== 'connected') return;
    this.#session.sendDTMF(key, { transportType: DTMF_IN_AUDIO });
  }

  /** For this call and the next ones. */
  useMicrophone(deviceId: string): Promise<void> {
    return this.#audio.useMicrophone(deviceId, this.#session?.connection);
  }

  /** The id that the API has given to the call. */
  identify(callId: string): void {
    if (this.#state.call && this.#state.call.callId !== callId) this.#setCall({ callId });
  }

  /** The API says that the call is over: a connection that was lost meanwhile has not told this phone. */
  isOver(callId: string): void {
    if (this.#state.call?.callId === callId) this.#session?.terminate();
  }

  #start(): Promise<UA> {
    this.#agent ??= this.#connect().catch((error: unknown) => {
      this.#agent = undefined;
      throw error;
    });
    return this.#agent;
  }

  async #connect(): Promise<UA> {
    const [{ default: JsSIP }, credential] = await Promise.all([import('jssip'), this.#credentials.get()]);
    const agent = new JsSIP.UA({
      sockets: [new JsSIP.WebSocketInterface(credential.websocket_url)],
      uri: credential.sip_uri,
      authorization_user: credential.username,
      password: credential.password,
      register: false,
      register_expires: 120,
      session_timers: false,
      connection_recovery_min_interval: 1,
      connection_recovery_max_interval: 10,
      user_agent: 'Parley dashboard',
    });
    this.#iceServers = credential.ice_servers;
    agent.on('connected', () => {
      this.#isConnected = true;
      if (this.#state.isWanted) agent.register();
      this.#recoverAudio();
    });
    agent.on('disconnected', () => {
      this.#isConnected = false;
      this.#set({ registration: this.#state.isWanted ? 'connecting' : 'off' });
    });
    agent.on('registered', () => this.#set({ registration: 'registered' }));
    agent.on('unregistered', () => this.#set({ registration: this.#state.isWanted ? 'connecting' : 'off' }));
    agent.on('registrationFailed', () => {
      this.#set({ registration: 'connecting' });
      if (agent.isConnected()) this.#credentials.renew();
    });
    agent.on('newRTCSession', ({ originator, session, request }: NewSession) => {
      if (this.#session) return session.terminate({ status_code: 486, reason_phrase: 'Busy Here' });
      this.#follow(session, originator === 'remote' ? request : undefined);
    });
    agent.start();
    return agent;
  }

  #stop(): void {
    const agent = this.#agent;
    if (this.#session) {
      // The call goes on; only further calls are not taken.
      void agent?.then((connected) => connected.unregister());
      return;
    }
    this.#agent = undefined;
    void agent?.then(
      (connected) => connected.stop(),
      () => undefined,
    );
    this.#credentials.revoke();
    this.#set({ registration: 'off' });
  }

  #useCredential({ username, password }: SoftphoneSession): void {
    void this.#agent?.then((agent) => {
      agent.set('authorization_user', username);
      agent.set('password', password);
      if (this.#state.isWanted && agent.isConnected()) agent.register();
    });
  }

  /** `invitation`: of a call to this browser. */
  #follow(session: RTCSession, invitation: SipRequest | undefined): void {
    this.#session = session;
    if (invitation) this.#ring(invitation);
    if (session.connection) this.#audio.play(session.connection);
    session.on('peerconnection', (created: { peerconnection: RTCPeerConnection }) =>
      this.#audio.play(created.peerconnection),
    );
    const terminate = session.terminate.bind(session);
    // JsSIP hangs up when the audio has failed for good; nothing else tells it not to.
    session.terminate = (options) => {
      if (options?.cause !== AUDIO_FAILED || !this.#recoverAudio()) terminate(options);
    };
    session.on('accepted', () => {
      if (this.#session !== session) return;
      this.#stopRinging();
      this.#endReplaced();
      const activeSince = this.#returnsTo?.activeSince ?? Date.now();
      this.#returnsTo = undefined;
      this.#set({ notice: null });
      // Somebody who returns muted is not heard by surprise.
      if (this.#state.call?.isMuted) session.mute({ audio: true });
      this.#setCall({ state: 'active', activeSince });
    });
    session.on('failed', ({ cause, message }: SessionEnd) => {
      if (this.#session !== session) return;
      const reasonHeader = message?.getHeader?.('Reason');
      const isOwnDecision = invitation && (cause === 'Rejected' || cause === 'Busy');
      if (this.#returnsTo) this.#end('The call could not be continued.');
      else if (invitation) this.#end(isOwnDecision ? undefined : endOfRinging({ cause, reasonHeader }));
      else this.#end(endOfDialling(cause));
    });
    session.on('ended', ({ originator }: SessionEnd) => {
      if (this.#session !== session) return;
      // The switch ends a leg without audio, but the call waits a moment for the employee to return.
      if (originator === 'remote' && this.#recoverAudio()) return;
      this.#end(undefined);
    });
  }

  #ring(invitation: SipRequest): void {
    const number = decodeURIComponent(invitation.from.uri.user ?? '') || 'anonymous';
    const callId = invitation.getHeader('X-Parley-Call') ?? null;
    this.#set({ notice: null, call: { ...newCall, direction: 'incoming', number, callId } });
    this.#ringer.start();
    this.#closeNotification = showCallNotification(number);
  }

  #stopRinging(): void {
    this.#ringer.stop();
    this.#closeNotification();
  }

  #endReplaced(): void {
    if (this.#replaced && !this.#replaced.isEnded()) this.#replaced.terminate();
    this.#replaced = undefined;
  }

  #end(notice: string | undefined): void {
    this.#stopRinging();
    this.#endReplaced();
    this.#session = undefined;
    this.#returnsTo = undefined;
    this.#audio.stop();
    this.#set({ call: null, notice: notice ?? null });
    if (!this.#state.isWanted) this.#stop();
  }

  #callOptions() {
    return { mediaConstraints: this.#audio.constraints(), pcConfig: { iceServers: this.#iceServers } };
  }

  #setCall(change: Partial<PhoneCall>): void {
    if (this.#state.call) this.#set({ call: { ...this.#state.call, ...change } });
  }

  #set(change: Partial<PhoneState>): void {
    this.#state = { ...this.#state, ...change };
    const { call } = this.#state;
    if (call?.state === 'active' || change.call === null) rememberCall(call);
    for (const listener of this.#listeners) listener();
  }
}

export const softphone = new Softphone();

const newCall: PhoneCall = {
  direction: 'incoming',
  state: 'ringing',
  number: '',
  callId: null,
  activeSince: null,
  isMuted: false,
};

/** What we use of JsSIP's messages. */
interface SipRequest {
  getHeader(name: string): string | undefined;
  readonly from: { readonly uri: { readonly user: string | null } };
}

interface NewSession {
  readonly originator: string;
  readonly session: RTCSession;
  readonly request: SipRequest;
}

interface SessionEnd {
  readonly originator: string;
  readonly cause: string;
  readonly message?: { getHeader?(name: string): string | undefined } | null;
}

/** The employee's call as the API has it; undefined when there is none. The network may only just have come back. */
async function activeCallId(): Promise<string | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { data, response } = await api.GET('/api/v1/calls/active');
      if (response.status < 500) return data?.call.id;
    } catch (error) {
      if (attempt >= RETURN.attempts) throw error;
    }
    if (attempt >= RETURN.attempts) return undefined;
    await new Promise((resolve) => setTimeout(resolve, RETURN.waitMs));
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'The phone could not be connected. Try again.';
}
