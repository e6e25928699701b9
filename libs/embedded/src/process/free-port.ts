import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the range from which Linux takes the ports of outgoing connections (32768 and up), so that no client can
 * take the port of a server while it restarts; a client that tries a dead port of that range may even meet itself.
 */
const RANGE = { from: 20_000, to: 32_000 };

/** A port on 127.0.0.1 (or the first of `count` neighbours) that nobody listens on now, fit for a server that will restart on it. */
export async function freePort(count = 1): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const port = randomInt(RANGE.from, RANGE.to - count);
    const free = await Promise.all(Array.from({ length: count }, (_, i) => isPortFree(port + i)));
    if (free.every(Boolean)) return port;
  }
  throw new Error(`no free port between ${RANGE.from} and ${RANGE.to} on 127.0.0.1`);
}

function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
