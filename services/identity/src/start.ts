import { EmployeeDirectoryService, EmployeeLookupService } from '@parley/proto/directory/v1/employees_pb';
import { addPersonalDataService, companyErasure } from '@parley/personal-data';
import { encryptor as openEncryptor } from '@parley/secrets';
import { type Lifecycle, openStatefulService } from '@parley/service';
import { openAccounts } from './accounts/account-store.ts';
import { currentAccounts } from './accounts/current-account.ts';
import { openApiKeys } from './api-keys/api-key-store.ts';
import { failedSignInRecorder } from './authentication/record-failed-sign-in.ts';
import { addApiKeyServices } from './api-keys/api-key-rpcs.ts';
import { useRecorder } from './credentials/record-use.ts';
import { openCompanyRules } from './companies/company-rules-store.ts';
import type { Config } from './config.ts';
import { addCredentialService } from './credentials/credential-rpcs.ts';
import { addDeviceAuthorizationService } from './device-authorizations/device-authorization-rpcs.ts';
import { openDeviceAuthorizations } from './device-authorizations/device-authorization-store.ts';
import { knownBrowsers } from './devices/known-browsers.ts';
import { openDevices } from './devices/device-store.ts';
import { startExpiry } from './expiry.ts';
import { followAlerts } from './alerts/follow-alerts.ts';
import { alertSender } from './alerts/send-alert.ts';
import { addDeactivationServices } from './deactivations/deactivation-rpcs.ts';
import { startSuspensionEnds } from './deactivations/start-suspension-ends.ts';
import { startFollowers } from './followers/followers.ts';
import { openGrants } from './grants/grant-store.ts';
import { addEmailConfirmationService } from './email-confirmations/email-confirmation-rpcs.ts';
import { openInvitationMails } from './invitations/invitation-store.ts';
import { migrations } from './migrations.ts';
import { startMail } from './start-mail.ts';
import { addOAuthServices } from './oauth/oauth-rpcs.ts';
import { openOAuthClients } from './oauth-clients/oauth-client-store.ts';
import { openResetRequests } from './password-resets/reset-request-store.ts';
import { addPasswordAdminService } from './passwords/password-rpcs.ts';
import { openSessions } from './sessions/session-store.ts';
import { addSessionService } from './sessions/session-rpcs.ts';
import { sessionVerifier } from './sessions/verify-session.ts';
import { addSignInPolicyService } from './sign-in-policies/sign-in-policy-rpcs.ts';
import { openSignInPolicies } from './sign-in-policies/sign-in-policy-store.ts';
import { addSignInService } from './sign-in/sign-in-rpcs.ts';
import { openThrottles } from './throttles/throttle-store.ts';
import { addThreadMailService } from './thread-mails/thread-mail-rpcs.ts';
import { addTwoFactorAdminService } from './two-factor/two-factor-admin-rpcs.ts';
import { secretContext } from './two-factor/verify-code.ts';

export const SERVICE = 'identity';

export async function start(config: Config, lifecycle: Lifecycle): Promise<void> {
  const peers = { directory: config.DIRECTORY_ADDRESS };
  const service = await openStatefulService(
    {
      name: SERVICE,
      publishes: true,
      peers,
      migrations,
      encrypted: { keys: config.ENCRYPTION_KEY, contextsOf: ({ _id: id }) => [secretContext({ id })] },
    },
    config,
    lifecycle,
  );
  const { backgroundWork, clock, db, relay } = service;
  const { log } = service.telemetry;
  const { directory } = service.peers;
  const employees = directory.client(EmployeeLookupService);

  const accounts = await openAccounts(db, relay, clock);
  const apiKeys = await openApiKeys(db, relay, clock, config.API_KEYS_MAX);
  const sessions = await openSessions(db, relay, clock);
  const grants = await openGrants(db, relay, clock);
  const clients = await openOAuthClients(db);
  const deviceAuthorizations = await openDeviceAuthorizations(db);
  const signInPolicies = await openSignInPolicies(db, relay, clock);
  const devices = await openDevices(db);
  const throttles = await openThrottles(db, clock);
  const invitationMails = await openInvitationMails(db);
  const resetRequests = await openResetRequests(db);
  const companyRules = await openCompanyRules(db);
  const encryptor = openEncryptor(config.ENCRYPTION_KEY);
  const verifySession = sessionVerifier({ sessions, accounts, companyRules, clock });

  const expiry = startExpiry(
    { sessions, grants, clients, devices, deviceAuthorizations, throttles, resetRequests },
    { clock, backgroundWork, log },
  );
  service.stopLater('expiry', expiry);
  service.stopLater('removal of rotation replays', grants.startReplayRemoval({ backgroundWork, log }));
  const { wake: wakeMailer, sendThreadMail } = startMail(
    { accounts, invitationMails, resetRequests, companyRules, throttles },
    { config, clock, backgroundWork, log, lifecycle },
  );
  const stores = { accounts, apiKeys, sessions, grants, devices, invitationMails, clock };
  await startFollowers(service, { ...stores, companyRules, invited: wakeMailer });
  const sendAlert = alertSender({ accounts, wakeMailer });
  await followAlerts(service, sendAlert);
  service.stopLater('ends of suspensions', startSuspensionEnds({ accounts, apiKeys, grants }));

  await service.serve((server) => {
    const recording = { clock, backgroundWork, log };
    const recordFailedSignIn = failedSignInRecorder({ accounts, backgroundWork, log });
    const factors = { accounts, sessions, devices, throttles, companyRules, verifySession, encryptor };
    const authentication = { ...factors, recordFailedSignIn, clock };
    const recordKeyUse = useRecorder({ ...recording, credentials: apiKeys });
    const recordGrantUse = useRecorder({ ...recording, credentials: grants });
    addPersonalDataService(server, {
      eraseCompany: companyErasure({
        db,
        removal: relay.removal,
        first: [knownBrowsers({ accounts, devices })],
        last: ['company_rules'],
      }),
    });
    addApiKeyServices(server, { apiKeys, accounts, clock });
    addPasswordAdminService(server, { accounts, employees });
    addTwoFactorAdminService(server, { accounts, employees });
    addCredentialService(server, {
      apiKeys,
      recordKeyUse,
      grants,
      recordGrantUse,
      verifySession,
      accounts,
      sessions,
      clients,
      currentAccount: currentAccounts(accounts, employees, companyRules),
      clock,
      employees,
      stores,
    });
    addDeactivationServices(server, { accounts, apiKeys, grants, sendAlert, clock });
    addEmailConfirmationService(server, {
      ...authentication,
      directory: directory.client(EmployeeDirectoryService),
      wakeMailer,
    });
    const devicePrograms = { deviceAuthorizations, signInPolicies, clients, verifySession, throttles, clock };
    addOAuthServices(server, { ...devicePrograms, grants, accounts, encryptor, ...recording });
    addDeviceAuthorizationService(server, devicePrograms);
    addSignInPolicyService(server, { signInPolicies });
    addThreadMailService(server, { accounts, companyRules, sendThreadMail, publicUrl: config.PUBLIC_URL, log });
    addSessionService(server, { sessions, accounts, clock });
    addSignInService(server, { ...authentication, resetRequests, wakeMailer });
  });
}
