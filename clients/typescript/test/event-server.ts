import type { SocketLike } from '../src/events/channel.ts';
import { jsonResponse } from './scripted-fetch.ts';

interface Recorded {
  readonly id: string;
  readonly event: string;
}

/** A socket as a client sees it; the test plays the service. */
export class FakeSocket implements SocketLike {
  readonly #listeners = new Map<string, ((event: { data?: unknown }) => void)[]>();
  readonly sent: any[] = [];
  isClosed = false;
  onSend: (command: any) => void = () => undefined;

  addEventListener(type: string, listener: (event: { data?: unknown }) => void): void {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }

  send(text: string): void {
    const command = JSON.parse(text);
    this.sent.push({ ...command, identifier: JSON.parse(command.identifier) });
    this.onSend(command);
  }

  close(): void {
    this.isClosed = true;
  }

  emit(type: string, data?: unknown): void {
    for (const listener of this.#listeners.get(type) ?? []) listener({ data });
  }

  receive(frame: unknown): void {
    if (!this.isClosed) this.emit('message', typeof frame === 'string' ? frame : JSON.stringify(frame));
  }
}

/** What happens to a connection: after how many messages it breaks off, or that it is refused from the beginning. */
export interface Fault {
  readonly refuse?: boolean;
  readonly reject?: boolean;
  readonly cutAfter?: number;
}

/** An event log with its two ways of reading, in memory; a cursor is a position. Connections have the faults in turn. */
export class EventServer {
  readonly log: Recorded[] = [];
  readonly faults: Fault[];
  readonly sockets: FakeSocket[] = [];
  readonly requests: string[] = [];
  /** For readers that begin at a time. */
  recordedAt: (position: number) => number = () => -Infinity;
  readonly #live = new Map<FakeSocket, () => void>();

  constructor(faults: Fault[] = []) {
    this.faults = faults;
  }

  add(event = 'contact.created'): void {
    this.log.push({ id: `evt_${this.log.length}`, event });
    for (const send of this.#live.values()) send();
  }

  readonly WebSocket = this.#openSocket.bind(this) as unknown;

  #openSocket(): FakeSocket {
    const socket = new FakeSocket();
    const fault = this.faults.shift() ?? {};
    this.sockets.push(socket);
    if (fault.refuse) queueMicrotask(() => socket.emit('error'));
    else queueMicrotask(() => socket.receive({ type: 'welcome' }));
    socket.onSend = ({ identifier }) => this.#subscribe(socket, identifier, fault);
    return socket;
  }

  #subscribe(socket: FakeSocket, identifier: string, fault: Fault): void {
    if (fault.reject) return socket.receive({ type: 'reject_subscription', identifier });
    const { after, types } = JSON.parse(identifier) as { after?: string; types?: string[] };
    let position = after === undefined ? this.log.length : Number(after);
    let sent = 0;
    const offer = (message: object): void => {
      if (sent === fault.cutAfter) {
        this.#live.delete(socket);
        socket.emit('close');
      } else socket.receive({ identifier, message });
      sent += 1;
    };
    const send = (): void => {
      for (; position < this.log.length && this.#live.has(socket);) {
        const event = this.log[position]!;
        position += 1;
        if (!types || types.includes(event.event)) offer({ type: 'event', cursor: String(position), event });
      }
    };
    socket.receive({ type: 'confirm_subscription', identifier });
    this.#live.set(socket, send);
    send();
    if (this.#live.has(socket)) offer({ type: 'caught_up', cursor: String(position) });
  }

  #positionAt(from: string | null): number {
    const at = this.log.findIndex((_, position) => this.recordedAt(position) >= Date.parse(from ?? ''));
    return at === -1 ? this.log.length : at;
  }

  /** Each of them fails a request. */
  readonly failures: (Response | Error)[] = [];

  readonly fetch = (async (url: string) => {
    this.requests.push(url);
    const failure = this.failures.shift();
    if (failure instanceof Error) throw failure;
    if (failure) return failure;
    const query = new URL(url).searchParams;
    const from = query.get('after') === null ? this.#positionAt(query.get('from')) : Number(query.get('after'));
    const types = query.get('types')?.split(',');
    const to = Math.min(this.log.length, from + Number(query.get('limit')));
    const events = this.log.slice(from, to).filter(({ event }) => !types || types.includes(event));
    return jsonResponse({ events, next_cursor: String(to), has_more: to < this.log.length });
  }) as unknown as typeof globalThis.fetch;
}
