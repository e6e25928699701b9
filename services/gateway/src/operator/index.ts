import type { Endpoint } from '@parley/http';
import type { OperatorPrincipal } from '@parley/rpc';
import { createBusinessNumber } from './business-numbers/create-business-number.ts';
import { releaseBusinessNumber } from './business-numbers/release-business-number.ts';
import { setRegistration } from './business-numbers/set-registration.ts';
import { updateBusinessNumberByOperator } from './business-numbers/update-business-number.ts';
import { companyDeletionEndpoints } from './companies/company-deletion-endpoints.ts';
import { createCompany } from './companies/create-company.ts';
import { getCompany, listCompanies } from './companies/read-companies.ts';
import { updateCompany } from './companies/update-company.ts';
import { createApiKey } from './credentials/create-api-key.ts';
import { createOAuthClient } from './credentials/create-oauth-client.ts';
import { revokeApiKey } from './credentials/revoke-api-key.ts';
import { resetTwoFactor } from './credentials/reset-two-factor.ts';
import { setPassword } from './credentials/set-password.ts';
import { listDeadLetters } from './dead-letters/list-dead-letters.ts';
import { replayDeadLetter } from './dead-letters/replay-dead-letter.ts';
import { getInboxRebuild } from './inbox-rebuilds/get-inbox-rebuild.ts';
import { startInboxRebuild } from './inbox-rebuilds/start-inbox-rebuild.ts';
import { startReportRebuild } from './report-rebuilds/report-rebuild-endpoints.ts';
import { removeIntegration } from './integrations/remove-integration.ts';
import { listUsage } from './usage/list-usage.ts';
import { setIntegration } from './integrations/set-integration.ts';
import type { EvictCredential } from '../credentials/evict-credential.ts';
import type { Clients } from '../peers/peers.ts';

/** Everything under /operator/v1, on its own port. */
export const operatorEndpoints = (clients: Clients, evict: EvictCredential): Endpoint<OperatorPrincipal>[] => [
  createCompany(clients),
  listCompanies(clients),
  getCompany(clients),
  updateCompany(clients),
  ...companyDeletionEndpoints(clients),
  setIntegration(clients),
  removeIntegration(clients),
  createBusinessNumber(clients),
  updateBusinessNumberByOperator(clients),
  setRegistration(clients),
  releaseBusinessNumber(clients),
  createApiKey(clients),
  revokeApiKey(clients, evict),
  setPassword(clients),
  resetTwoFactor(clients, evict),
  createOAuthClient(clients),
  startInboxRebuild(clients),
  getInboxRebuild(clients),
  startReportRebuild(clients),
  listUsage(clients),
  listDeadLetters(clients),
  replayDeadLetter(clients),
];
