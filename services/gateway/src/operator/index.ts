import type { Endpoint } from '@parley/http';
import type { OperatorPrincipal } from '@parley/rpc';
import { createApiKey } from './create-api-key.ts';
import { createBusinessNumber } from './create-business-number.ts';
import { createCompany } from './create-company.ts';
import { createOAuthClient } from './create-oauth-client.ts';
import { getInboxRebuild } from './get-inbox-rebuild.ts';
import { listDeadLetters } from './list-dead-letters.ts';
import { replayDeadLetter } from './replay-dead-letter.ts';
import { revokeApiKey } from './revoke-api-key.ts';
import { startInboxRebuild } from './start-inbox-rebuild.ts';
import { setPassword } from './set-password.ts';
import { setRegistration } from './set-registration.ts';
import { updateBusinessNumberByOperator } from './update-business-number.ts';
import { removeIntegration } from './remove-integration.ts';
import { setIntegration } from './set-integration.ts';
import { updateCompany } from './update-company.ts';
import type { ForgetCredential } from '../credentials/forget-credential.ts';
import type { Clients } from '../peers/peers.ts';

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
