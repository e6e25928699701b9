import type { Endpoint } from '@parley/http';
import { register } from '../oauth/register.ts';
import { revoke } from '../oauth/revoke.ts';
import { token } from '../oauth/token.ts';
import { showConsent } from '../pages/consent.ts';
import type { Clients } from '../peers/peers.ts';
import { authorizationServer } from '../well-known/authorization-server.ts';
import { protectedResource } from '../well-known/protected-resource.ts';

/**
 * The OAuth endpoints of the API reference, in the order of the flow. The metadata is the same under its
 * other paths but `/mcp`, and the consent form is not part of the API.
 */
export function documentedOAuthEndpoints(clients: Clients): Endpoint<never>[] {
  const undecided = () => '';
  return [
    protectedResource(undecided, ''),
    protectedResource(undecided, '/mcp'),
    authorizationServer(undecided, ''),
    register(clients, undecided),
    showConsent(clients),
    token(clients, () => {}, undecided),
    revoke(clients, () => {}),
  ];
}
