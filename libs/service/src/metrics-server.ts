import type { AddressInfo } from 'node:net';
import { listenHttp } from '@parley/http/listen';
import type { Telemetry } from '@parley/telemetry';
import type { Lifecycle } from './lifecycle.ts';

/** Prometheus uses one. */
const SOCKETS_PER_ADDRESS_MAX = 50;

/** Serves the metrics to Prometheus, for installations without a collector. */
export async function serveMetrics(
  lifecycle: Lifecycle,
  { metricsPage }: Pick<Telemetry, 'metricsPage'>,
  address: string,
): Promise<AddressInfo | string | null> {
  const http = await listenHttp(
    (request, response) => {
      if (metricsPage && request.url === '/metrics') return metricsPage(request, response);
      response.writeHead(404, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ error: 'not_found' }));
    },
    address,
    { socketsPerAddressMax: SOCKETS_PER_ADDRESS_MAX, refusesPages: true },
  );
  lifecycle.defer('metrics', () => http.close(0));
  lifecycle.listening('metrics', address);
  return http.server.address();
}
