import { once } from 'node:events';
import { connect, createServer, isIP, isIPv6, type Server, type Socket } from 'node:net';
import { hostOf } from '../message/sip-address.ts';
import { header, isRequest, type SipMessage, type SipRequest } from '../message/sip-message.ts';
import { type PortRange, RtpPorts } from '../rtp/rtp-ports.ts';
import { AddressList } from './address-list.ts';
import { belongsTo, type Dialog, dialogOfInvite, responseTo } from './dialog.ts';
import { Invitation, type Invite, type InviteDecision } from './incoming-call.ts';
import { type OutgoingCallOptions, placeCall } from './outgoing-call.ts';
import type { CallContext, DialogCall, SipCall } from './sip-call.ts';
import { SipConnection } from './sip-connection.ts';

export interface SipEndpointOptions {
  /** Where SIP is served, `host:port`; RTP is on the same host. */
  readonly listen: string;
  /** The IP address at which others reach that host's RTP. Without one, or with a name, that at which its SIP has been reached, or from which it calls. */
  readonly mediaAddress?: string;
  readonly rtpPorts: PortRange | 'any';
  /** IP addresses and networks that may call; all others are refused (403). */
  readonly allowedAddresses: readonly string[];
  readonly onInvite: (invite: Invite) => InviteDecision | Promise<InviteDecision>;
  /** An error of `onInvite`; the call is refused (500). */
  readonly onError?: (error: unknown) => void;
  readonly limits?: Partial<SipEndpointLimits>;
}

export interface SipEndpointLimits {
  /** Calls at once, those that are being decided included; more are refused (503). */
  readonly calls: number;
  readonly connections: number;
  /** When a call is silent for this long, the other side is asked whether it still has the call. */
  readonly mediaTimeoutMs: number;
}

const LIMITS: SipEndpointLimits = { calls: 100, connections: 50, mediaTimeoutMs: 10_000 };
/** Others get an answer, and not more. */
const REFUSED_CONNECTION_MS = 2000;
const CONNECT_LIMIT_MS = 5000;
/** Without a message and without a call. */
const IDLE_CONNECTION_MS = 10 * 60_000;
const STOP_LIMIT_MS = 1000;

/** Starts an endpoint that is called, and calls, over SIP on TCP. */
export async function startSipEndpoint(options: SipEndpointOptions): Promise<SipEndpoint> {
  const endpoint = new SipEndpoint(options);
  await endpoint.listen();
  return endpoint;
}

export class SipEndpoint implements CallContext {
  readonly rtpPorts: RtpPorts;
  readonly mediaTimeoutMs: number;
  readonly #options: SipEndpointOptions;
  readonly #limits: SipEndpointLimits;
  readonly #allowed: AddressList;
  readonly #server: Server;
  readonly #connections = new Set<SipConnection>();
  /** Those that we opened, for one call each. */
  readonly #outgoing = new Set<SipConnection>();
  /** By our tag. */
  readonly #calls = new Map<string, DialogCall>();
  /** By the transaction of the INVITE, which a CANCEL shares. */
  readonly #invitations = new Map<string, { invitation: Invitation; connection: SipConnection }>();
  #isStopped = false;

  constructor(options: SipEndpointOptions) {
    this.#options = options;
    this.#limits = { ...LIMITS, ...options.limits };
    this.mediaTimeoutMs = this.#limits.mediaTimeoutMs;
    this.rtpPorts = new RtpPorts(splitAddress(options.listen).host, options.rtpPorts);
    this.#allowed = new AddressList(options.allowedAddresses);
    this.#server = createServer((socket) => this.#onConnection(socket));
  }

  async listen(): Promise<void> {
    const { host, port } = splitAddress(this.#options.listen);
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
  }

  /** Where SIP is served, `host:port`. */
  get address(): string {
    const address = this.#server.address();
    return address !== null && typeof address === 'object' ? hostPort(address.address, address.port) : '';
  }

  /** Those that have not ended. */
  get calls(): readonly SipCall[] {
    return [...this.#calls.values()].filter((call) => !call.hasEnded);
  }

  /** Calls `sip:user@host:port`. Rejects when nothing answers there; everything after that follows as events. */
  async call(uri: string, options: OutgoingCallOptions): Promise<SipCall> {
    const target = hostOf(uri);
    if (!target) throw new Error('not a SIP address');
    const connection = await this.#connect(target.host, target.port);
    const sentBy = hostPort(connection.localAddress, splitAddress(this.address).port);
    return placeCall({ ...options, context: this, uri, connection, contact: `<sip:${sentBy};transport=tcp>`, sentBy });
  }

  /** Hangs up all calls. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const call of this.#calls.values()) call.endWith({ reason: 'stopped' });
    this.#server.close();
    for (const connection of this.#connections) connection.end();
    const limit = AbortSignal.timeout(STOP_LIMIT_MS);
    await once(this.#server, 'close', { signal: limit }).catch(() => undefined);
    this.abort();
  }

  /** Ends as a process does that is killed: the other sides are not told. */
  abort(): void {
    this.#isStopped = true;
    for (const call of this.#calls.values()) call.abandon();
    this.#server.close();
    for (const connection of this.#connections) connection.destroy();
  }

  mediaAddressAt(connection: SipConnection): string {
    const { mediaAddress = '' } = this.#options;
    return isIP(mediaAddress) > 0 ? mediaAddress : connection.localAddress;
  }

  allows(address: string): boolean {
    return this.#allowed.has(address);
  }

  async reconnect({ target }: Dialog, last: SipConnection): Promise<SipConnection> {
    const contact = hostOf(target);
    const host = contact && this.allows(contact.host) ? contact.host : last.remoteAddress;
    return this.#connect(host, contact?.port ?? last.remotePort);
  }

  register(call: DialogCall): void {
    this.#calls.set(call.id, call);
  }

  remove(call: DialogCall): void {
    this.#calls.delete(call.id);
    const { connection } = call;
    if (this.#outgoing.has(connection) && !this.#isUsed(connection)) connection.end();
  }

  #isUsed(connection: SipConnection): boolean {
    return [...this.#calls.values()].some((call) => call.connection === connection);
  }

  async #connect(host: string, port: number): Promise<SipConnection> {
    const socket = connect({ host, port });
    try {
      await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_LIMIT_MS) });
    } catch (error) {
      socket.destroy();
      throw error;
    }
    const connection = this.#add(socket);
    this.#outgoing.add(connection);
    return connection;
  }

  #add(socket: Socket): SipConnection {
    const connection = new SipConnection(socket, {
      message: (message, from) => this.#onMessage(message, from),
      closed: (gone) => this.#onClosed(gone),
    });
    this.#connections.add(connection);
    socket.setTimeout(IDLE_CONNECTION_MS, () => {
      if (!this.#isUsed(connection)) connection.end();
    });
    return connection;
  }

  #onConnection(socket: Socket): void {
    if (this.#isStopped || this.#connections.size >= this.#limits.connections) {
      socket.destroy();
      return;
    }
    const connection = this.#add(socket);
    if (this.allows(connection.remoteAddress)) return;
    const limit = setTimeout(() => connection.destroy(), REFUSED_CONNECTION_MS);
    socket.once('close', () => clearTimeout(limit));
  }

  #onClosed(connection: SipConnection): void {
    this.#connections.delete(connection);
    this.#outgoing.delete(connection);
    // Calls go on; an INVITE that has no response will never have one.
    for (const call of this.#calls.values())
      if (call.connection === connection && call.isEarly) call.endWith({ reason: 'unreachable' });
    for (const { invitation, connection: used } of this.#invitations.values())
      if (used === connection) invitation.cancel();
  }

  #onMessage(message: SipMessage, connection: SipConnection): void {
    if (!isRequest(message)) return this.#callOf(message)?.onResponse(message);
    if (message.method !== 'ACK' && !this.#isPermitted(connection)) {
      connection.send(responseTo(message, 403));
      return connection.end();
    }
    const call = this.#callOf(message);
    if (call) return call.onRequest(message, connection);
    if (message.method === 'ACK') return;
    if (message.method === 'CANCEL') {
      const isCancelled = this.#invitations.get(transactionOf(message))?.invitation.cancel() ?? false;
      return connection.send(responseTo(message, isCancelled ? 200 : 481));
    }
    if (hasToTag(message)) return connection.send(responseTo(message, 481));
    switch (message.method) {
      case 'INVITE':
        return this.#onInvite(message, connection);
      case 'OPTIONS':
        return connection.send(responseTo(message, this.#isStopped ? 503 : 200));
      case 'BYE':
      case 'UPDATE':
      case 'INFO':
        return connection.send(responseTo(message, 481));
      default:
        return connection.send(responseTo(message, 405));
    }
  }

  /** The other side of a call that we placed may be anywhere. */
  #isPermitted(connection: SipConnection): boolean {
    return this.allows(connection.remoteAddress) || this.#outgoing.has(connection);
  }

  #callOf(message: SipMessage): DialogCall | undefined {
    const ours = /;\s*tag=([^;,\s]+)/i.exec(header(message, isRequest(message) ? 'to' : 'from'))?.[1] ?? '';
    const call = this.#calls.get(ours);
    return call && belongsTo(call.dialog, message) ? call : undefined;
  }

  #onInvite(request: SipRequest, connection: SipConnection): void {
    const dialog = dialogOfInvite(request);
    if (!dialog) return connection.send(responseTo(request, 400));
    const required = header(request, 'require');
    if (required !== '') return connection.send(responseTo(request, 420, { headers: { Unsupported: required } }));
    const key = transactionOf(request);
    // Repeated: its response is on the way.
    if (this.#invitations.has(key)) return;
    const isFull = this.#calls.size + this.#invitations.size >= this.#limits.calls;
    if (this.#isStopped || isFull)
      return connection.send(responseTo(request, 503, { headers: { 'Retry-After': '5' } }));
    const sentBy = hostPort(connection.localAddress, connection.localPort);
    const invitation = new Invitation({
      context: this,
      request,
      dialog,
      connection,
      contact: contactFor(request, sentBy),
      sentBy,
      decide: this.#options.onInvite,
    });
    this.#invitations.set(key, { invitation, connection });
    invitation
      .handle()
      .catch((error: unknown) => {
        invitation.fail();
        this.#options.onError?.(error);
      })
      .finally(() => this.#invitations.delete(key));
  }
}

/** The caller reaches us where it has just called; our own address may be one that it cannot reach. */
function contactFor(request: SipRequest, sentBy: string): string {
  const called = hostOf(request.uri);
  return `<sip:${called ? hostPort(called.host, called.port) : sentBy};transport=tcp>`;
}

/** A CANCEL has the branch, the Call-ID and the number of its INVITE. */
function transactionOf(request: SipRequest): string {
  const branch = /;\s*branch=([^;,\s]+)/i.exec(header(request, 'via'))?.[1] ?? '';
  return [header(request, 'call-id'), branch, header(request, 'cseq').split(/\s/)[0]].join(' ');
}

const hasToTag = (request: SipRequest): boolean => /;\s*tag=/i.test(header(request, 'to'));

/** `host:port`, `[host]:port` of IPv6. */
function splitAddress(address: string): { host: string; port: number } {
  const split = address.lastIndexOf(':');
  return { host: address.slice(0, split).replace(/^\[(.*)\]$/, '$1'), port: Number(address.slice(split + 1)) };
}

const hostPort = (host: string, port: number): string => (isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`);
