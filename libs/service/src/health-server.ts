import { createServer } from 'node:http';
import type { Life } from './life.ts';

/** HTTP health for probes. `live` says the process runs; `ready` says which named check, if any, is not met. */
export async function serveHealth(life: Life, address: string): Promise<void> {
  const server = createServer((request, response) => {
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
      response.end(JSON.stringify(body));
    };
    if (request.url === '/healthz/live') answer(200, { health: life.health() });
    else if (request.url === '/healthz/ready')
      void life.readiness().then((state) => answer(state.ready ? 200 : 503, state));
    else answer(404, { error: 'not_found' });
  });
  const split = address.lastIndexOf(':');
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(Number(address.slice(split + 1)), address.slice(0, split), resolve);
  });
  life.defer('health', () => {
    server.closeAllConnections();
    server.close();
  });
}
