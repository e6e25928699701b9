import { systemClock } from '@parley/clock';
import { startRelay } from '@parley/outbox';
import { EmployeeDirectoryService } from '@parley/proto/directory/v1/employees_pb';
import { type Lifecycle, openRuntime, openBroker, openDatabase, openPeers, serveGrpc } from '@parley/service';
import type { Config } from './config.ts';
import { startFollowers } from './followers/start-followers.ts';
import { addPresenceService } from './presence/presence-service.ts';
import { openPresences } from './presence/presence-store.ts';
import { startPresenceExpiry } from './presence/start-presence-expiry.ts';

export const SERVICE = 'call-control';

export async function start(config: Config, lifecycle: Lifecycle): Promise<void> {
  const runtime = await openRuntime(SERVICE, config, lifecycle);
  const { backgroundWork, clock, telemetry } = runtime;
  const { log } = telemetry;
  const machineClock = systemClock;
  const db = await openDatabase(runtime, config);
  const broker = await openBroker(runtime, config);
  const relay = await startRelay({ service: SERVICE, db, broker, backgroundWork, telemetry });
  lifecycle.defer('relay', () => relay.stop());

  const leaseMs = config.PRESENCE_LEASE_SECS * 1000;
  const presences = await openPresences({ db, relay, clock, machineClock, leaseMs });
  const directory = openPeers(runtime, config).connect(config.DIRECTORY_ADDRESS).client(EmployeeDirectoryService);

  await startFollowers(runtime, { presences }, { broker, db });
  const expiry = startPresenceExpiry({ presences, machineClock, backgroundWork, log });
  lifecycle.defer('presence expiry', () => expiry.stop());

  await serveGrpc(runtime, config, (server) => {
    addPresenceService(server, { presences, directory, machineClock });
  });
}
