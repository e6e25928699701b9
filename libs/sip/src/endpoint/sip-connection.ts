import type { Socket } from 'node:net';
import type { SipMessage } from '../message/sip-message.ts';
import { SipStreamReader } from '../message/sip-stream-reader.ts';
import { plainAddress } from './address-list.ts';

/** What waits because the other side does not read. */
const UNSENT_MAX_BYTES = 256 * 1024;
const PONG = '\r\n';
const KEEP_ALIVE_MS = 30_000;

export interface ConnectionEvents {
  message(message: SipMessage, connection: SipConnection): void;
  closed(connection: SipConnection): void;
}

/** One TCP connection, over which any number of calls are signalled. */
export class SipConnection {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
  readonly #socket: Socket;

  constructor(socket: Socket, events: ConnectionEvents) {
    this.#socket = socket;
    this.remoteAddress = plainAddress(socket.remoteAddress ?? '');
    this.remotePort = socket.remotePort ?? 0;
    this.localAddress = plainAddress(socket.localAddress ?? '');
    this.localPort = socket.localPort ?? 0;
    const reader = new SipStreamReader();
    socket.setNoDelay(true);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => events.closed(this));
    socket.on('data', (chunk: Buffer) => {
      const { messages, isPing, error } = reader.push(chunk);
      if (isPing) this.send(PONG);
      for (const message of messages) if (this.isOpen) events.message(message, this);
      if (error) socket.destroy();
    });
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed && this.#socket.writable;
  }

  send(text: string): void {
    if (!this.isOpen) return;
    this.#socket.write(text);
    if (this.#socket.writableLength > UNSENT_MAX_BYTES) this.#socket.destroy();
  }

  /** After what was sent has left. */
  end(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }
}
