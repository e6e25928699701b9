import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  encodeRequest,
  encodeResponse,
  header,
  isRequest,
  parseSip,
  readCredentials,
  type SipHeaders,
  type SipMessage,
  type SipRequest,
  type SipResponse,
} from '@parley/sip';
import { waitUntil } from '@parley/testkit';
import { WebSocket } from 'ws';

export const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** A SIP client without audio, message by message. */
export class SipClient {
  readonly received: SipMessage[] = [];
  readonly user: string;
  readonly contact: string;
  readonly #socket: WebSocket;
  readonly #password: string;
  readonly #registrationCallId = randomUUID();
  #sequence = 0;

  private constructor(socket: WebSocket, user: string, password: string) {
    this.#socket = socket;
    this.user = user;
    this.#password = password;
    this.contact = `sip:${randomUUID().slice(0, 8)}@abc.invalid;transport=ws`;
    socket.on('message', (data: Buffer) => {
      const message = parseSip(data.toString());
      if (message) this.received.push(message);
    });
  }

  static async connect(url: string, user: string, password: string, origin?: string): Promise<SipClient> {
    const socket = new WebSocket(url, 'sip', { ...(origin !== undefined && { origin }) });
    await once(socket, 'open');
    return new SipClient(socket, user, password);
  }

  /** Without a goodbye. */
  drop(): void {
    this.#socket.terminate();
  }

  /** Sends a request, again with credentials when they are demanded; the last response. */
  async request(method: string, uri: string, headers: SipHeaders = {}): Promise<SipResponse> {
    const callId = String(headers['Call-ID'] ?? randomUUID());
    const first = await this.#ask(method, uri, { ...headers, 'Call-ID': callId });
    const [name, challenge] =
      first.status === 401
        ? ['Authorization', header(first, 'www-authenticate')]
        : ['Proxy-Authorization', header(first, 'proxy-authenticate')];
    if (challenge === '') return first;
    const { realm = '', nonce = '' } = readCredentials(challenge!) ?? {};
    const a1 = md5(`${this.user}:${realm}:${this.#password}`);
    const response = md5(`${a1}:${nonce}:00000001:c:auth:${md5(`${method}:${uri}`)}`);
    const credentials = { username: this.user, realm, nonce, uri, response, cnonce: 'c', algorithm: 'MD5' };
    const quoted = Object.entries(credentials).map(([key, value]) => `${key}="${value}"`);
    return this.#ask(method, uri, {
      ...headers,
      'Call-ID': callId,
      [name!]: `Digest ${quoted.join(', ')}, qop=auth, nc=00000001`,
    });
  }

  register(headers: SipHeaders = {}): Promise<SipResponse> {
    const defaults = { 'Call-ID': this.#registrationCallId, Contact: `<${this.contact}>;expires=600` };
    return this.request('REGISTER', 'sip:parley.invalid', { ...defaults, ...headers });
  }

  /** The request of the switch, once it is there. */
  async untilRequest(method: string): Promise<SipRequest> {
    const find = () => this.received.find((message) => isRequest(message) && message.method === method);
    await waitUntil(() => find() !== undefined, { what: method });
    return find() as SipRequest;
  }

  respond(request: SipRequest, status: number, headers: SipHeaders = {}): void {
    const repeated = {
      Via: request.headers.get('via') ?? [],
      From: header(request, 'from'),
      To: `${header(request, 'to')};tag=phone`,
      'Call-ID': header(request, 'call-id'),
      CSeq: header(request, 'cseq'),
    };
    this.#socket.send(encodeResponse(status, 'Reason', { ...repeated, ...headers }));
  }

  async #ask(method: string, uri: string, headers: SipHeaders): Promise<SipResponse> {
    const cseq = `${(this.#sequence += 1)} ${method}`;
    const address = `<sip:${this.user}@parley.invalid>`;
    const own = {
      Via: `SIP/2.0/WS abc.invalid;branch=z9hG4bK${randomUUID()}`,
      From: `${address};tag=${this.user}`,
      To: address,
      CSeq: cseq,
    };
    this.#socket.send(encodeRequest(method, uri, { ...own, ...headers }));
    const find = () =>
      this.received.find(
        (message): message is SipResponse =>
          !isRequest(message) && message.status >= 200 && header(message, 'cseq') === cseq,
      );
    await waitUntil(() => find() !== undefined, { what: `response to ${method}` });
    return find()!;
  }
}
