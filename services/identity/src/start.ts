import { startRelay } from '@parley/outbox';
import { EmployeeLookupService } from '@parley/proto/directory/v1/employees_pb';
import { encryptor as openEncryptor } from '@parley/secrets';
import { type Life, openBasis, openBroker, openDatabase, openPeers, serveGrpc } from '@parley/service';
import { openAccounts } from './accounts/account-store.ts';
import { openApiKeys } from './api-keys/api-key-store.ts';
import { addApiKeyServices } from './api-keys/api-keys-service.ts';
import { useRecorder } from './api-keys/record-use.ts';
import { openCompanyRules } from './companies/company-rules-store.ts';
import type { Config } from './config.ts';
import { addCredentialService } from './credentials/credentials-service.ts';
import { openDevices } from './devices/device-store.ts';
import { startExpiry } from './expiry.ts';
import { startFollowers } from './followers/followers.ts';
import { openGrants } from './grants/grant-store.ts';
import { tokenMint } from './grants/tokens.ts';
import { openInvitationMails } from './invitations/invitation-store.ts';
import { startMail } from './mail/start-mail.ts';
import { addOAuthServices } from './oauth/oauth-service.ts';
import { openOAuthClients } from './oauth-clients/oauth-client-store.ts';
import { openResetRequests } from './password-resets/reset-request-store.ts';
import { addPasswordAdminService } from './passwords/passwords-service.ts';
import { openSessions } from './sessions/session-store.ts';
import { sessionVerifier } from './sessions/verify-session.ts';
import { addSignInServices } from './sign-in/sign-in-service.ts';
import { openThrottles } from './throttles/throttle-store.ts';

export const SERVICE = 'identity';

export async function start(config: Config, life: Life): Promise<void> {
  const basis = await openBasis(SERVICE, config, life);
  const { activity, clock, telemetry } = basis;
  const { log } = telemetry;
  const db = await openDatabase(basis, config);
  const broker = await openBroker(basis, config);
  const relay = await startRelay({ service: SERVICE, db, broker, activity, telemetry });
  life.defer('relay', () => relay.stop());
  const employees = openPeers(basis, config).connect(config.DIRECTORY_ADDRESS).client(EmployeeLookupService);

  const accounts = await openAccounts(db, relay, clock);
  const apiKeys = await openApiKeys(db, relay, clock, config.API_KEYS_MAX);
  const sessions = await openSessions(db, relay, clock);
  const grants = await openGrants(db, relay, clock);
  const clients = await openOAuthClients(db);
  const devices = await openDevices(db);
  const throttles = await openThrottles(db, clock);
  const invitationMails = await openInvitationMails(db);
  const resetRequests = await openResetRequests(db);
  const companyRules = openCompanyRules(db);
  const encryptor = openEncryptor(config.ENCRYPTION_KEY);
  const mint = tokenMint(config.ENCRYPTION_KEY[0] ?? '');
  const verifySession = sessionVerifier({ sessions, accounts, companyRules, clock });

  const expiry = startExpiry(
    { sessions, grants, clients, devices, throttles, resetRequests },
    { clock, activity, log },
  );
  life.defer('expiry', () => expiry.stop());
  const mailPlanned = startMail(
    { accounts, invitationMails, resetRequests, companyRules },
    { config, clock, activity, log, life },
  );
  const stores = { accounts, apiKeys, sessions, grants, devices, invitationMails, clock };
  await startFollowers(basis, { ...stores, companyRules, invited: mailPlanned }, { broker, db });

  await serveGrpc(basis, config, (server) => {
    const recordUse = useRecorder(apiKeys, clock, activity, log);
    addApiKeyServices(server, { apiKeys, accounts, clock });
    addPasswordAdminService(server, { accounts, employees });
    addCredentialService(server, { apiKeys, recordUse, grants, verifySession, clock, employees, stores });
    addOAuthServices(server, { clients, grants, accounts, verifySession, mint, throttles, clock });
    addSignInServices(server, {
      accounts,
      sessions,
      devices,
      throttles,
      companyRules,
      verifySession,
      encryptor,
      resetRequests,
      mailPlanned,
      clock,
    });
  });
}
