import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, ListenOptions } from 'node:net';
import type { Lifecycle } from './lifecycle.ts';

/** HTTP health for probes. `live`: the process runs; `ready`: all named checks pass. */
export async function serveHealth(lifecycle: Lifecycle, address: string): Promise<AddressInfo | string | null> {
  const server = createServer((request, response) => {
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
      response.end(JSON.stringify(body));
    };
    if (request.url === '/healthz/live') answer(200, { health: lifecycle.health() });
    else if (request.url === '/healthz/ready')
      lifecycle.readiness().then(
        (state) => answer(state.ready ? 200 : 503, state),
        () => answer(503, { health: lifecycle.health(), ready: false }),
      );
    else answer(404, { error: 'not_found' });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(listenOptions(address), resolve);
  });
  lifecycle.defer('health', async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  });
  lifecycle.listening('health', address);
  return server.address();
}

/** `unix:/path`, `host:port` or `[::1]:port`. */
function listenOptions(address: string): ListenOptions {
  if (address.startsWith('unix:')) return { path: address.slice('unix:'.length) };
  const split = address.lastIndexOf(':');
  return { host: address.slice(0, split).replace(/^\[(.*)\]$/, '$1'), port: Number(address.slice(split + 1)) };
}
