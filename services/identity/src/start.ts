import { startRelay } from '@parley/outbox';
import { EmployeeLookupService } from '@parley/proto/directory/v1/employees_pb';
import { type Life, openBasis, openBroker, openDatabase, openPeers, serveGrpc } from '@parley/service';
import { openAccounts } from './accounts/account-store.ts';
import { openApiKeys } from './api-keys/api-key-store.ts';
import { addApiKeyAdminService } from './api-keys/api-keys-service.ts';
import { useRecorder } from './api-keys/record-use.ts';
import type { Config } from './config.ts';
import { addCredentialService } from './credentials/credentials-service.ts';
import { startFollowers } from './followers/followers.ts';
import { addPasswordAdminService } from './passwords/passwords-service.ts';

export const SERVICE = 'identity';

export async function start(config: Config, life: Life): Promise<void> {
  const basis = await openBasis(SERVICE, config, life);
  const { activity, clock, telemetry } = basis;
  const db = await openDatabase(basis, config);
  const broker = await openBroker(basis, config);
  const relay = await startRelay({ service: SERVICE, db, broker, activity, telemetry });
  life.defer('relay', () => relay.stop());
  const directory = openPeers(basis, config).connect(config.DIRECTORY_ADDRESS);
  const employees = directory.client(EmployeeLookupService);

  const accounts = await openAccounts(db, relay, clock);
  const apiKeys = await openApiKeys(db, relay, clock, config.API_KEYS_MAX);

  const followers = await startFollowers({ accounts, apiKeys, clock }, { broker, db, activity, telemetry });
  life.defer('followers', () => followers.stop());

  await serveGrpc(basis, config, (server) => {
    addApiKeyAdminService(server, { apiKeys, accounts, clock });
    addPasswordAdminService(server, { accounts, employees });
    addCredentialService(server, { apiKeys, recordUse: useRecorder(apiKeys, clock, activity, telemetry.log), clock });
  });
}
