import { startContainers } from './containers.ts';
import { type Servers, startEmbeddedServers } from './servers.ts';
import { setTestAddress } from './test-addresses.ts';

declare global {
  var parleyTestServers: Servers | undefined;
}

/**
 * Before any test: finds or starts one MongoDB and one NATS for the whole run. MONGODB_URL and NATS_URL name servers that
 * are there already; PARLEY_TEST_CONTAINERS=1 starts real ones in containers; otherwise the embedded ones are started.
 */
export default async function globalSetup(): Promise<void> {
  const { MONGODB_URL, NATS_URL, PARLEY_TEST_CONTAINERS } = process.env;
  if (!MONGODB_URL || !NATS_URL) {
    globalThis.parleyTestServers = await (PARLEY_TEST_CONTAINERS === '1' ? startContainers() : startEmbeddedServers());
  }
  setTestAddress('mongo', MONGODB_URL || globalThis.parleyTestServers!.mongoUrl);
  setTestAddress('nats', NATS_URL || globalThis.parleyTestServers!.natsUrl);
}
