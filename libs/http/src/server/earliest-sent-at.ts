import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** When connections that had no request yet were opened. */
const unused = new WeakMap<Socket, Date>();
const earliest = new WeakMap<IncomingMessage, Date>();

export function trackConnection(socket: Socket): void {
  unused.set(socket, new Date());
}

export function trackRequest(request: IncomingMessage): void {
  earliest.set(request, unused.get(request.socket) ?? new Date());
  unused.delete(request.socket);
}

/**
 * The earliest time at which the client may have sent a request. A client that sends many at once opens a connection for
 * each first, so the first request of a connection may be as old as the connection. A later one counts from its arrival.
 */
export function earliestSentAt(request: IncomingMessage): Date {
  return earliest.get(request) ?? new Date();
}
