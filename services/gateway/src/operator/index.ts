import type { Endpoint } from '@parley/http';
import type { OperatorPrincipal } from '@parley/rpc';
import type { EvictCredential } from '../credentials/verified-credentials.ts';
import type { Clients } from '../peers/peers.ts';
import { operatorBusinessNumberEndpoints } from './business-numbers/business-number-endpoints.ts';
import { companyEndpoints } from './companies/company-endpoints.ts';
import { credentialEndpoints } from './credentials/credential-endpoints.ts';
import { deadLetterEndpoints } from './dead-letters/dead-letter-endpoints.ts';
import { integrationEndpoints } from './integrations/integration-endpoints.ts';
import { rebuildEndpoints } from './rebuilds/rebuild-endpoints.ts';
import { switchEndpoints } from './switches/switch-endpoints.ts';
import { listUsage } from './usage/list-usage.ts';

/** Everything under /operator/v1, on its own port. */
export const operatorEndpoints = (clients: Clients, evict: EvictCredential): Endpoint<OperatorPrincipal>[] => [
  ...companyEndpoints(clients),
  ...integrationEndpoints(clients),
  ...operatorBusinessNumberEndpoints(clients),
  ...credentialEndpoints(clients, evict),
  ...rebuildEndpoints(clients),
  ...switchEndpoints(clients),
  listUsage(clients),
  ...deadLetterEndpoints(clients),
];
