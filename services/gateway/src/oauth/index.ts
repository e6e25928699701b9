import type { ForgetCredential } from '../credentials/forget-credential.ts';
import type { Endpoint } from '@parley/http';
import type { AddressOf } from '../client-address.ts';
import type { Clients } from '../peers.ts';
import type { BaseUrl } from '../well-known/base-url.ts';
import { authorizationServer } from '../well-known/authorization-server.ts';
import { protectedResource } from '../well-known/protected-resource.ts';
import { showConsent } from './authorize.ts';
import { register } from './register.ts';
import { revoke } from './revoke.ts';
import { token } from './token.ts';

/** The OAuth endpoints that programs call; the one that browsers visit is among the pages. */
export const oauthEndpoints = (clients: Clients, forget: ForgetCredential, addressOf: AddressOf, baseUrl: BaseUrl) => [
  register(clients, addressOf),
  token(clients, forget, baseUrl),
  revoke(clients, forget),
];

/**
 * The OAuth endpoints of the API reference, in the order of the flow. The metadata is the same under its other paths,
 * and
 * the consent form is not part of the API.
 */
export function documentedOAuthEndpoints(clients: Clients): Endpoint<never>[] {
  const undecided = () => '';
  return [
    protectedResource(undecided, ''),
    authorizationServer(undecided, ''),
    register(clients, undecided),
    showConsent(clients),
    token(clients, () => {}, undecided),
    revoke(clients, () => {}),
  ];
}
