import type { UA } from 'jssip';
import type { SoftphoneSession } from '../api/schema.d.ts';
import { PhoneCredentials } from './credentials.ts';
import type { Leg } from './leg.ts';

export interface ConnectionEvents {
  readonly connected: () => void;
  readonly disconnected: () => void;
  readonly registered: () => void;
  readonly unregistered: () => void;
  /** A call to this browser. */
  readonly rings: (leg: Leg, caller: { readonly number: string; readonly callId: string | null }) => void;
  readonly wantsRegistration: () => boolean;
}

/** The connection to the switch: SIP over WebSocket, with credentials that are renewed in time. Made when it is first needed. */
export class SipConnection {
  readonly #events: ConnectionEvents;
  readonly #credentials = new PhoneCredentials((renewed) => this.#useCredential(renewed));
  #agent: Promise<UA> | undefined;
  #isConnected = false;
  #iceServers: RTCIceServer[] = [];

  constructor(events: ConnectionEvents) {
    this.#events = events;
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  get iceServers(): RTCIceServer[] {
    return this.#iceServers;
  }

  async register(): Promise<void> {
    (await this.#connected()).register();
  }

  unregister(): void {
    void this.#agent?.then((agent) => agent.unregister());
  }

  /** Prepares an invitation; what it answers sends it. */
  async invite(user: string, headers: readonly string[], options: () => object): Promise<() => Leg> {
    const agent = await this.#connected();
    const { sip_uri: uri } = await this.#credentials.get();
    const target = `sip:${encodeURIComponent(user)}@${uri.split('@')[1]}`;
    // JsSIP's types leave out that it answers the session.
    return () => agent.call(target, { ...options(), extraHeaders: [...headers] }) as unknown as Leg;
  }

  /** Ends it: nobody can register with its credential any more. */
  close(): void {
    const agent = this.#agent;
    this.#agent = undefined;
    this.#isConnected = false;
    void agent?.then(
      (connected) => connected.stop(),
      () => undefined,
    );
    this.#credentials.revoke();
  }

  #connected(): Promise<UA> {
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
      if (this.#events.wantsRegistration()) agent.register();
      this.#events.connected();
    });
    agent.on('disconnected', () => {
      this.#isConnected = false;
      this.#events.disconnected();
    });
    agent.on('registered', () => this.#events.registered());
    agent.on('unregistered', () => this.#events.unregistered());
    agent.on('registrationFailed', () => {
      this.#events.unregistered();
      if (agent.isConnected()) this.#credentials.renew();
    });
    agent.on('newRTCSession', (event: unknown) => {
      const { originator, session, request } = event as NewSession;
      if (originator !== 'remote') return;
      const number = decodeURIComponent(request.from.uri.user ?? '') || 'anonymous';
      this.#events.rings(session, { number, callId: request.getHeader('X-Parley-Call') ?? null });
    });
    agent.start();
    return agent;
  }

  #useCredential({ username, password }: SoftphoneSession): void {
    void this.#agent?.then((agent) => {
      agent.set('authorization_user', username);
      agent.set('password', password);
      if (this.#events.wantsRegistration() && agent.isConnected()) agent.register();
    });
  }
}

/** The used part of JsSIP's messages. */
interface NewSession {
  readonly originator: string;
  readonly session: Leg;
  readonly request: {
    getHeader(name: string): string | undefined;
    readonly from: { readonly uri: { readonly user: string | null } };
  };
}
