import type { Endpoint } from '@parley/http';
import type { EvictCredential } from '../credentials/evict-credential.ts';
import type { Clients } from '../peers/peers.ts';
import { apiKeyEndpoints } from './api-key-endpoints.ts';
import { connectedAppEndpoints } from './connected-app-endpoints.ts';
import { newAddressEndpoints } from './new-address-endpoints.ts';
import { passwordEndpoints } from './password-endpoints.ts';
import { sessionEndpoints } from './session-endpoints.ts';
import type { SignedInVisitor } from './signed-in-visitor.ts';
import { twoFactorEndpoints } from './two-factor-endpoints.ts';

/** What the dashboard's pages of one's own account use. It is no part of the public API: only a session in a browser counts. */
export const accountEndpoints = (clients: Clients, evict: EvictCredential): Endpoint<SignedInVisitor>[] => [
  ...apiKeyEndpoints(clients, evict),
  ...connectedAppEndpoints(clients, evict),
  ...sessionEndpoints(clients),
  ...twoFactorEndpoints(clients),
  ...passwordEndpoints(clients),
  ...newAddressEndpoints(clients),
];
