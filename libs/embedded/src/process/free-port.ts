import { randomInt } from 'node:crypto';
import { createServer, type Server } from 'node:net';

/**
 * Below the range from which Linux takes the ports of outgoing connections (32768 and up), so that no client can
 * take the port of a server while it restarts; a client that connects to a closed port of that range may even connect to itself.
 */
const RANGE = { from: 20_000, to: 32_000 };

/**
 * A port on 127.0.0.1 (or the first of `count` consecutive ones) without a listener, for a server that will restart on
 * it. It is reserved for as long as this process runs: no other process gets it from here.
 */
export async function freePort(count = 1): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const first = randomInt(RANGE.from, RANGE.to - count);
    const reserved = await Promise.all(Array.from({ length: count }, (_, i) => reserve(first + i)));
    if (reserved.every((reservation) => reservation !== undefined)) return first;
    for (const reservation of reserved) reservation?.close();
  }
  throw new Error(`no free port between ${RANGE.from} and ${RANGE.to} on 127.0.0.1`);
}

/** A socket in Linux's abstract namespace ends with its process, however that ends, so no reservation is left behind. */
async function reserve(port: number): Promise<Server | undefined> {
  const reservation = await listening({ path: `\0parley-port-${port}` });
  const probe = reservation && (await listening({ port, host: '127.0.0.1' }));
  if (probe) await new Promise((resolve) => probe.close(resolve));
  else reservation?.close();
  return probe && reservation?.unref();
}

function listening(where: { path: string } | { port: number; host: string }): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', () => resolve(undefined));
    server.listen(where, () => resolve(server));
  });
}
