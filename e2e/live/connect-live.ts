import WebSocket from 'ws';
import { waitUntil } from '@parley/testkit/wait-until';
import type { LocalJson } from '../support/local-stack.ts';

export function cableUrlOf({ base_url: baseUrl }: Pick<LocalJson, 'base_url'>): string {
  return `${baseUrl.replace('http', 'ws')}/cable`;
}

/** A bare connection to the live channel that keeps what it was sent, pings left out. */
export function connectLive(stack: Pick<LocalJson, 'base_url'>, headers: Record<string, string>, query = '') {
  const socket = new WebSocket(`${cableUrlOf(stack)}${query}`, ['actioncable-v1-json'], { headers });
  const received: any[] = [];
  let closed = false;
  socket.on('message', (data) => received.push(JSON.parse(String(data))));
  socket.on('close', () => (closed = true));
  socket.on('error', () => undefined);
  return {
    socket,
    received: () => received.filter(({ type }) => type !== 'ping'),
    pings: () => received.filter(({ type }) => type === 'ping').length,
    closed: () => closed,
    next: (count: number) => waitUntil(async () => received.length >= count && received, { what: `${count} messages` }),
  };
}
