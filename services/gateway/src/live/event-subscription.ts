import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { confirmation, eventsWantedBy, message, rejection } from './action-cable.ts';
import type { CableCredential } from './cable-credential.ts';
import type { EventChannel } from './event-channel.ts';
import type { EventClient } from './event-stream.ts';

/** Half of what a connection may have unread, so that updates of other channels and pings have room. A larger event waits alone. */
const WAITING_BYTES_MAX = 128 * 1024;
/** A client that takes longer for this many bytes is too slow. */
const SLOW_BYTES = 256 * 1024;
const SLOW_MS = 10_000;
/** How often the socket is looked at while the client has something to read. */
const DRAIN_POLL_MS = 20;

/** The subscription of a connection to `EventsChannel`; it has one at most. */
export interface EventSubscription {
  readonly identifier: string;
  readonly isConfirmed: boolean;
  /** Bytes of an event that is larger than what may wait, while it is being read. */
  readonly largeBytes: number;
  /** Ends it and tells the client. */
  reject(): void;
  stop(): void;
}

/** Undefined when the identifier cannot be read, or the company has as many of these as it may have. */
export function openEventSubscription(
  identifier: string,
  connection: {
    readonly socket: WebSocket;
    readonly credential: CableCredential;
    /** Ends the connection, because its credential has ended or it is too slow. */
    end(reason: 'unauthorized' | 'too_slow'): void;
    /** The subscription has ended. */
    onEnd(): void;
  },
  channel: EventChannel,
): EventSubscription | undefined {
  const { socket, credential } = connection;
  const wanted = eventsWantedBy(identifier);
  let isConfirmed = false;
  let largeBytes = 0;

  function reject(): void {
    stop?.();
    socket.send(rejection(identifier));
    connection.onEnd();
  }

  const client: EventClient = {
    companyId: credential.principal.companyId,
    async verify() {
      const principal = await credential.recheck();
      if (!principal) connection.end('unauthorized');
      return principal;
    },
    offer(content) {
      const text = message(identifier, content);
      const bytes = Buffer.byteLength(text);
      if (socket.bufferedAmount > 0 && socket.bufferedAmount + bytes > WAITING_BYTES_MAX) return false;
      if (bytes > WAITING_BYTES_MAX) largeBytes = bytes;
      socket.send(text);
      return true;
    },
    async drained() {
      const limitMs = performance.now() + SLOW_MS * Math.ceil(socket.bufferedAmount / SLOW_BYTES);
      while (socket.readyState === socket.OPEN && socket.bufferedAmount > 0) {
        if (performance.now() > limitMs) return false;
        await sleep(DRAIN_POLL_MS);
      }
      largeBytes = 0;
      return true;
    },
    confirm() {
      isConfirmed = true;
      socket.send(confirmation(identifier));
    },
    reject,
    disconnect: () => connection.end('too_slow'),
  };

  const stop = wanted && channel.open(client, wanted);
  if (!stop) return undefined;
  return {
    identifier,
    get isConfirmed() {
      return isConfirmed;
    },
    get largeBytes() {
      return largeBytes;
    },
    reject,
    stop,
  };
}
