import type { Servers } from '../servers/servers.ts';
import { startTestServers } from '../servers/start-test-servers.ts';
import { setTestAddress } from '../servers/test-addresses.ts';

declare global {
  var parleyTestServers: Servers | undefined;
}

/**
 * Before any test: finds or starts one MongoDB and one NATS for the whole run. MONGODB_URL and NATS_URL name servers that
 * are given; otherwise PARLEY_TEST_ENGINES selects which ones are started.
 */
export default async function globalSetup(): Promise<void> {
  const { MONGODB_URL, NATS_URL } = process.env;
  if (!MONGODB_URL || !NATS_URL) globalThis.parleyTestServers = await startTestServers();
  setTestAddress('mongo', MONGODB_URL || globalThis.parleyTestServers!.mongoUrl);
  setTestAddress('nats', NATS_URL || globalThis.parleyTestServers!.natsUrl);
}

// Jest loads this file with `require`.
export { globalSetup as 'module.exports' };
