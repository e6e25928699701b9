import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { type Listening, refuseSocket } from '@parley/http';
import {
  encodeResponse,
  header,
  parameterOf,
  parseSip,
  readCredentials,
  repeatedHeaders,
  requestTarget,
  type SipHeaders,
  type SipRequest,
  uriOf,
  userOf,
} from '@parley/sip';
import type { Logger } from '@parley/telemetry';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ForeignPage } from '../foreign-pages.ts';
import type { RealPhone } from '../switch/registrations.ts';
import type { Switch } from '../switch/switch.ts';
import type { TelephoneNetwork } from '../telephony/telephone-network.ts';
import { BrowserCall, type SipTransport } from './browser-call.ts';
import type { DirectoryUser, PhoneDirectory } from './phone-directory.ts';

/** The path of the WebSocket. */
const SIP_PATH = '/sip';
const SUBPROTOCOL = 'sip';
const MESSAGE_BYTES_MAX = 64 * 1024;
/** The values of our FreeSWITCH configuration: the lifetime whatever a browser asks for, and how late a renewal may be. */
const LIFETIME = { expiresSecs: 60, lateMs: 5000 };
const NONCES_MAX = 1000;
const MEDIA_TIMEOUT_MS = 5000;
/** All that FreeSWITCH demands: what else a phone writes becomes part of the contact as it is. */
const CONTACT = /^sips?:[^@\s]+@[^\s]+$/;

export interface BrowserPhonesOptions {
  network: TelephoneNetwork;
  directory: PhoneDirectory;
  domain: string;
  log: Logger;
  /** The lifetime of a registration in the machine's time: a browser does not follow the test clock. */
  lifetime?: { expiresSecs: number; lateMs: number };
}

/** A registered browser, by the Call-ID of its REGISTER. */
interface Registered {
  readonly transport: SocketTransport;
  readonly expiry: NodeJS.Timeout;
}

/** Browsers as phones: SIP over WebSocket (RFC 7118), as FreeSWITCH serves it. */
export class BrowserPhones {
  readonly #options: BrowserPhonesOptions;
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: MESSAGE_BYTES_MAX,
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  });
  readonly #registered = new Map<string, Registered>();
  readonly #calls = new Map<string, BrowserCall>();
  readonly #nonces = new Set<string>();

  constructor(options: BrowserPhonesOptions) {
    this.#options = options;
    const followSwitch = (at: Switch) => at.core.onDeath(() => this.#disconnect());
    followSwitch(options.network.switch);
    options.network.onSwitchStart(followSwitch);
  }

  /** Takes connections of the sandbox's HTTP server, except from pages of other sites: browsers let every page open a WebSocket. */
  listenTo(http: Pick<Listening, 'serveUpgrades'>, foreign: ForeignPage): void {
    http.serveUpgrades(SIP_PATH, (request, socket, head) => {
      if (foreign(request)) return refuseSocket(socket, 403);
      if (!this.#options.network.switch.core.alive) return void socket.destroy();
      this.#server.handleUpgrade(request, socket, head, (connected) => {
        this.#connect(new SocketTransport(connected, request.socket), connected);
      });
    });
  }

  stop(): void {
    this.#disconnect();
    this.#server.close();
  }

  /** The switch has ended: nothing of it is left. */
  #disconnect(): void {
    for (const { expiry } of this.#registered.values()) clearTimeout(expiry);
    this.#registered.clear();
    for (const call of this.#calls.values()) call.abandon();
    this.#calls.clear();
    for (const socket of this.#server.clients) socket.terminate();
  }

  #connect(transport: SocketTransport, socket: WebSocket): void {
    // Requests are taken one after the other: an answer may need the directory.
    let previous: Promise<void> = Promise.resolve();
    socket.on('message', (data) => {
      previous = previous
        .then(() => this.#receive(String(data), transport))
        .catch((error: unknown) => this.#options.log.warn({ err: error }, 'a SIP message could not be handled'));
    });
    socket.on('close', () => this.#lost(transport));
    socket.on('error', () => socket.terminate());
  }

  /** The phone is gone; its calls continue until they miss its audio. */
  #lost(transport: SocketTransport): void {
    for (const [callId, registered] of this.#registered) {
      if (registered.transport !== transport) continue;
      this.#remove(callId);
      this.#options.network.switch.registrations.unregister(callId, { reason: 'socket-disconnection' });
    }
  }

  async #receive(text: string, transport: SocketTransport): Promise<void> {
    const message = parseSip(text);
    if (!message) return;
    const call = this.#calls.get(header(message, 'call-id'));
    // Perhaps a new connection of a browser that lost the one before.
    if (call) call.transport = transport;
    if ('status' in message) return call?.onResponse(message);
    if (call) return call.onRequest(message);
    switch (message.method) {
      case 'REGISTER':
        return this.#register(message, transport);
      case 'INVITE':
        return this.#invited(message, transport);
      case 'ACK':
        return;
      case 'OPTIONS':
        return respond(transport, message, 200, 'OK');
      default:
        return respond(transport, message, 481, 'Call Does Not Exist');
    }
  }

  async #register(request: SipRequest, transport: SocketTransport): Promise<void> {
    const user = await this.#authenticate(request, transport, 'WWW-Authenticate');
    if (!user) return;
    const callId = header(request, 'call-id');
    const contact = header(request, 'contact');
    const asked = parameterOf(contact, 'expires') ?? header(request, 'expires');
    const { registrations } = this.#options.network.switch;
    if (asked === '0') {
      for (const ended of contact === '*'
        ? registrations.of(`${user.username}@${this.#options.domain}`)
        : [{ callId }]) {
        this.#remove(ended.callId);
        registrations.unregister(ended.callId);
      }
      return respond(transport, request, 200, 'OK');
    }
    const target = uriOf(contact);
    if (!CONTACT.test(target)) return respond(transport, request, 400, 'Bad Contact');
    this.#remove(callId);
    const { expiresSecs, lateMs } = this.#options.lifetime ?? LIFETIME;
    const expiry = setTimeout(
      () => {
        this.#remove(callId);
        registrations.flush(callId);
      },
      expiresSecs * 1000 + lateMs,
    );
    this.#registered.set(callId, { transport, expiry });
    registrations.register({
      callId,
      user: user.username,
      domain: this.#options.domain,
      uri: natContact(target, transport.port),
      port: transport.port,
      expiresSecs,
      userAgent: header(request, 'user-agent'),
      variables: user.variables,
      phone: this.#phone(callId),
    });
    respond(transport, request, 200, 'OK', { Contact: `<${target}>;expires=${expiresSecs}` });
  }

  #remove(callId: string): void {
    clearTimeout(this.#registered.get(callId)?.expiry);
    this.#registered.delete(callId);
  }

  #phone(registrationCallId: string): RealPhone {
    return {
      ring: (channel, dialled, onRinging) => {
        const registered = this.#registered.get(registrationCallId);
        const target = requestTarget(dialled);
        if (!registered || target === undefined) return;
        const call = BrowserCall.toBrowser(channel, target, registered.transport, this.#onCallEnded, onRinging);
        this.#calls.set(call.callId, call);
        channel.core.detach(call.invite());
      },
    };
  }

  async #invited(request: SipRequest, transport: SocketTransport): Promise<void> {
    const user = await this.#authenticate(request, transport, 'Proxy-Authenticate');
    if (!user) return;
    respond(transport, request, 100, 'Trying');
    const { network, domain } = this.#options;
    const leg = network.dial({
      owner: { kind: 'employee', employeeId: user.username },
      profile: 'internal',
      from: { name: user.username, number: user.username },
      to: userOf(request.uri),
      variables: {
        sip_authorized: 'true',
        sip_auth_username: user.username,
        sip_auth_realm: domain,
        user_name: user.username,
        domain_name: domain,
        'sip_h_X-Business-Number': header(request, 'x-business-number'),
        sip_via_protocol: 'ws',
        // The dialplan of our FreeSWITCH configuration sets it.
        media_timeout: String(MEDIA_TIMEOUT_MS),
        ...user.variables,
      },
    });
    const channel = network.switch.channels.get(leg.id);
    if (!channel) return respond(transport, request, 503, 'Service Unavailable');
    const call = BrowserCall.fromBrowser(channel, request, transport, this.#onCallEnded);
    this.#calls.set(call.callId, call);
  }

  readonly #onCallEnded = (call: BrowserCall): void => {
    this.#calls.delete(call.callId);
  };

  /** Resolves with the sender; without valid credentials it sends the response itself. */
  async #authenticate(
    request: SipRequest,
    transport: SocketTransport,
    challenge: 'WWW-Authenticate' | 'Proxy-Authenticate',
  ): Promise<{ username: string; variables: DirectoryUser } | undefined> {
    const name = challenge === 'WWW-Authenticate' ? 'authorization' : 'proxy-authorization';
    const given = readCredentials(header(request, name));
    const { domain } = this.#options;
    if (!given || !this.#nonces.has(given['nonce'] ?? '')) {
      const demanded = `Digest realm="${domain}", nonce="${this.#newNonce()}", algorithm=MD5, qop="auth"`;
      const [status, reason] =
        challenge === 'WWW-Authenticate'
          ? ([401, 'Unauthorized'] as const)
          : ([407, 'Authentication Required'] as const);
      respond(transport, request, status, reason, { [challenge]: demanded });
      return undefined;
    }
    const username = given['username'] ?? '';
    const { directory } = this.#options;
    const variables = isOwn(request, username) ? await directory.find(request.method, given, transport) : undefined;
    if (!variables) respond(transport, request, 403, 'Forbidden');
    return variables && { username, variables };
  }

  #newNonce(): string {
    const nonce = randomUUID();
    this.#nonces.add(nonce);
    if (this.#nonces.size > NONCES_MAX) this.#nonces.delete(this.#nonces.values().next().value!);
    return nonce;
  }
}

/** `inbound-reg-force-matching-username`: nobody acts as somebody else with credentials of their own. */
const isOwn = (request: SipRequest, username: string): boolean =>
  username !== '' && userOf(uriOf(header(request, 'from'))) === username;

/** FreeSWITCH appends where the connection came from. */
function natContact(contact: string, port: number): string {
  const user = /^sips?:([^@]*)@/.exec(contact)?.[1] ?? '';
  const path = encodeURIComponent(`sip:${user}@127.0.0.1:${port};transport=ws`);
  return `${contact};fs_nat=yes;fs_path=${path}`;
}

function respond(
  transport: SipTransport,
  request: SipRequest,
  status: number,
  reason: string,
  more: SipHeaders = {},
): void {
  transport.send(
    encodeResponse(status, reason, { ...repeatedHeaders(request, status === 100 ? undefined : randomUUID()), ...more }),
  );
}

class SocketTransport implements SipTransport {
  readonly #socket: WebSocket;
  readonly address: string;
  readonly port: number;

  constructor(socket: WebSocket, { remoteAddress = '', remotePort = 0 }: Pick<Socket, 'remoteAddress' | 'remotePort'>) {
    this.#socket = socket;
    this.address = remoteAddress;
    this.port = remotePort;
  }

  send(message: string): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(message);
  }
}
