import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { waitUntil } from '@parley/testkit';
import {
  encodeRequest,
  header,
  isRequest,
  type SipHeaders,
  type SipMessage,
  type SipResponse,
} from '../src/message/sip-message.ts';
import { SipStreamReader } from '../src/message/sip-stream-reader.ts';

/** A SIP client that sends what it is told, byte for byte. */
export class RawSip {
  readonly received: SipMessage[] = [];
  isClosed = false;
  readonly #socket: Socket;
  #sequence = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
    const reader = new SipStreamReader();
    socket.on('data', (chunk: Buffer) => this.received.push(...reader.push(chunk).messages));
    socket.on('error', () => undefined);
    socket.on('close', () => (this.isClosed = true));
  }

  static async open(address: string): Promise<RawSip> {
    const [host = '', port = ''] = address.split(':');
    const socket = connect(Number(port), host);
    await once(socket, 'connect');
    return new RawSip(socket);
  }

  write(bytes: string | Buffer): void {
    this.#socket.write(bytes);
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Sends a request with the headers that every request has, and returns its sequence number. */
  send(method: string, uri: string, headers: SipHeaders = {}, body = ''): number {
    this.#sequence += 1;
    const own = {
      Via: `SIP/2.0/TCP 127.0.0.1:1;branch=z9hG4bK${this.#sequence}`,
      From: '<sip:switch@127.0.0.1>;tag=ours',
      To: '<sip:r@127.0.0.1>',
      'Call-ID': 'call-1',
      CSeq: `${this.#sequence} ${method}`,
      Contact: '<sip:switch@127.0.0.1:1;transport=tcp>',
    };
    this.write(encodeRequest(method, uri, { ...own, ...headers }, body));
    return this.#sequence;
  }

  /** The final response to a request. */
  async response(sequence: number): Promise<SipResponse> {
    const find = () =>
      this.received.find(
        (message): message is SipResponse =>
          !isRequest(message) && message.status >= 200 && header(message, 'cseq').startsWith(`${sequence} `),
      );
    await waitUntil(() => find() !== undefined, { what: `a response to request ${sequence}` });
    return find()!;
  }

  /** A request of the other side. */
  async request(method: string): Promise<SipMessage> {
    const find = () => this.received.find((message) => isRequest(message) && message.method === method);
    await waitUntil(() => find() !== undefined, { what: method, timeoutMs: 10_000 });
    return find()!;
  }
}
