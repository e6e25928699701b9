import type { Endpoint } from '@parley/http';
import type { EvictCredential } from '../credentials/verified-credentials.ts';
import type { Clients } from '../peers/peers.ts';
import { apiKeyEndpoints } from './api-key-endpoints.ts';
import { connectedAppEndpoints } from './connected-app-endpoints.ts';
import { newAddressEndpoints } from './new-address-endpoints.ts';
import { passwordEndpoints } from './password-endpoints.ts';
import { sessionEndpoints } from './session-endpoints.ts';
import type { SignedInVisitor } from './signed-in-visitor.ts';
import { twoFactorEndpoints } from './two-factor-endpoints.ts';

/** Used by the dashboard's account pages. They are not part of the public API: only a browser session authenticates them. */
export const accountEndpoints = (clients: Clients, evict: EvictCredential): Endpoint<SignedInVisitor>[] => [
  ...apiKeyEndpoints(clients, evict),
  ...connectedAppEndpoints(clients, evict),
  ...sessionEndpoints(clients),
  ...twoFactorEndpoints(clients),
  ...passwordEndpoints(clients),
  ...newAddressEndpoints(clients),
];
