import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the range from which Linux takes the ports of outgoing connections (32768 and up), so that no client can
 * take the port of a server while it restarts; a client that tries a dead port of that range may even meet itself.
 */
const RANGE = { from: 20_000, to: 32_000 };

/** A port on 127.0.0.1 that nobody listens on now, suited to a server that will restart on it. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const port = randomInt(RANGE.from, RANGE.to);
    if (await isPortFree(port)) return port;
  }
  throw new Error(`no free port between ${RANGE.from} and ${RANGE.to} on 127.0.0.1`);
}

/** Whether a server could listen on this port of 127.0.0.1 now. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
