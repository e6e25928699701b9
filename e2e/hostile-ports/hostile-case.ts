import { connect } from 'node:net';
import type { Random } from '../support/random.ts';

/** The bytes that a client sends, and how it disconnects. */
export interface HostileCase {
  readonly pieces: readonly Buffer[];
  /** `end` closes its half and reads on, `silence` keeps the connection open without a word for a moment. */
  readonly leaving: 'reset' | 'destroy' | 'end' | 'silence';
}

const PATIENCE_MS = 150;

/** Cuts bytes into pieces, perhaps leaves out the rest of them, and leaves in any way. */
export function hostileCase(random: Random, bytes: Buffer): HostileCase {
  const sent = random.chance(0.3) ? bytes.subarray(0, random.below(bytes.length + 1)) : bytes;
  const pieces: Buffer[] = [];
  for (let at = 0; at < sent.length;) {
    const length = random.chance(0.5) ? sent.length - at : 1 + random.below(sent.length - at);
    pieces.push(sent.subarray(at, at + length));
    at += length;
  }
  return { pieces: pieces.slice(0, 20), leaving: random.pick(['reset', 'reset', 'destroy', 'end', 'silence']) };
}

/** Sends it; resolves when the connection is closed on this side. */
export function sendCase(port: number, { pieces, leaving }: HostileCase): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    const rest = pieces[Symbol.iterator]();
    socket.on('error', () => {}); // whatever the other side does to it is fine
    socket.on('close', () => resolve());
    socket.resume();
    const leave = () => {
      if (leaving === 'reset') socket.resetAndDestroy();
      else if (leaving === 'destroy') socket.destroy();
      else {
        if (leaving === 'end') socket.end();
        // Nobody waits for this client: its own timeout ends the connection.
        setTimeout(() => socket.destroy(), PATIENCE_MS);
      }
    };
    const sendNext = () => {
      const { value, done } = rest.next();
      if (done || socket.destroyed) leave();
      else socket.write(value, () => setImmediate(sendNext));
    };
    socket.on('connect', sendNext);
  });
}
