import { systemClock } from '@parley/clock';
import { startRelay } from '@parley/outbox';
import { EmployeeDirectoryService } from '@parley/proto/directory/v1/employees_pb';
import { type Life, openBasis, openBroker, openDatabase, openPeers, serveGrpc } from '@parley/service';
import type { Config } from './config.ts';
import { startFollowers } from './followers/start-followers.ts';
import { addPresenceService } from './presence/presence-service.ts';
import { openPresences } from './presence/presence-store.ts';
import { startPresenceExpiry } from './presence/start-presence-expiry.ts';

export const SERVICE = 'call-control';

export async function start(config: Config, life: Life): Promise<void> {
  const basis = await openBasis(SERVICE, config, life);
  const { activity, clock, telemetry } = basis;
  const { log } = telemetry;
  const machineClock = systemClock;
  const db = await openDatabase(basis, config);
  const broker = await openBroker(basis, config);
  const relay = await startRelay({ service: SERVICE, db, broker, activity, telemetry });
  life.defer('relay', () => relay.stop());

  const leaseMs = config.PRESENCE_LEASE_SECS * 1000;
  const presences = await openPresences({ db, relay, clock, machineClock, leaseMs });
  const directory = openPeers(basis, config).connect(config.DIRECTORY_ADDRESS).client(EmployeeDirectoryService);

  await startFollowers(basis, { presences }, { broker, db });
  const expiry = startPresenceExpiry({ presences, machineClock, activity, log });
  life.defer('presence expiry', () => expiry.stop());

  await serveGrpc(basis, config, (server) => {
    addPresenceService(server, { presences, directory, machineClock });
  });
}
