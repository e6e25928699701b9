import type { AddressInfo } from 'node:net';
import { listenHttp } from '@parley/http/listen';
import type { Lifecycle } from './lifecycle.ts';
import { VERSION } from './version.ts';

/** Probes use few; nobody else shall be able to take the place of theirs. */
const SOCKETS_PER_ADDRESS_MAX = 50;

/** HTTP health for probes. `live`: the process runs; `ready`: all named checks pass. */
export async function serveHealth(lifecycle: Lifecycle, address: string): Promise<AddressInfo | string | null> {
  const http = await listenHttp(
    (request, response) => {
      const answer = (status: number, body: unknown) => {
        response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
        response.end(JSON.stringify(body));
      };
      if (request.url === '/healthz/live') answer(200, { health: lifecycle.health(), version: VERSION });
      else if (request.url === '/healthz/ready')
        lifecycle.readiness().then(
          (state) => answer(state.ready ? 200 : 503, state),
          () => answer(503, { health: lifecycle.health(), ready: false }),
        );
      else answer(404, { error: 'not_found' });
    },
    address,
    { socketsPerAddressMax: SOCKETS_PER_ADDRESS_MAX, refusesPages: true },
  );
  lifecycle.defer('health', () => http.close(0));
  lifecycle.listening('health', address);
  return http.server.address();
}
