import type { Endpoint } from '@parley/http';
import type { OperatorPrincipal } from '@parley/rpc';
import { createApiKey } from './operator/create-api-key.ts';
import { createBusinessNumber } from './operator/create-business-number.ts';
import { createCompany } from './operator/create-company.ts';
import { createOAuthClient } from './operator/create-oauth-client.ts';
import { getInboxRebuild } from './operator/get-inbox-rebuild.ts';
import { listDeadLetters } from './operator/list-dead-letters.ts';
import { replayDeadLetter } from './operator/replay-dead-letter.ts';
import { revokeApiKey } from './operator/revoke-api-key.ts';
import { startInboxRebuild } from './operator/start-inbox-rebuild.ts';
import { setPassword } from './operator/set-password.ts';
import { setRegistration } from './operator/set-registration.ts';
import { updateBusinessNumberByOperator } from './operator/update-business-number.ts';
import { removeIntegration } from './operator/remove-integration.ts';
import { setIntegration } from './operator/set-integration.ts';
import { updateCompany } from './operator/update-company.ts';
import type { ForgetCredential } from './credentials/forget-credential.ts';
import type { Clients } from './peers.ts';

/** Everything under /operator/v1, on its own port. */
export const operatorEndpoints = (clients: Clients, forget: ForgetCredential): Endpoint<OperatorPrincipal>[] => [
  createCompany(clients),
  updateCompany(clients),
  setIntegration(clients),
  removeIntegration(clients),
  createBusinessNumber(clients),
  updateBusinessNumberByOperator(clients),
  setRegistration(clients),
  createApiKey(clients),
  revokeApiKey(clients, forget),
  setPassword(clients),
  createOAuthClient(clients),
  startInboxRebuild(clients),
  getInboxRebuild(clients),
  listDeadLetters(clients),
  replayDeadLetter(clients),
];
