import type { IncomingMessage } from 'node:http';
import { type Api, createApi, type Observe } from '@parley/http';
import type { AddressOf } from './client-address/client-address.ts';
import type { EvictCredential } from './credentials/verified-credentials.ts';
import { accountEndpoints } from './account/index.ts';
import { authenticateVisitor, type SignedInVisitor } from './account/signed-in-visitor.ts';
import { pageEndpoints } from './pages/index.ts';
import type { Visitor } from './pages/visitor.ts';
import type { Clients } from './peers/peers.ts';
import type { BaseUrl } from './well-known/base-url.ts';
import { wellKnownEndpoints } from './well-known/discovery-endpoints.ts';
import { deviceAuthorization } from './oauth/device-authorization.ts';
import { register } from './oauth/register.ts';
import { revoke } from './oauth/revoke.ts';
import { token } from './oauth/token.ts';

/** The endpoints at the root: discovery, OAuth, the pages and what they use. */
export function identityApis(options: {
  clients: Clients;
  evict: EvictCredential;
  baseUrl: BaseUrl;
  addressOf: AddressOf;
  visitorOf: (request: IncomingMessage) => Promise<Visitor>;
  every: { observe: Observe; checkResponses: boolean };
}): Api[] {
  const { clients, evict, baseUrl, addressOf, visitorOf, every } = options;
  const atRoot = { ...every, prefix: '' };
  const programs = createApi({
    ...atRoot,
    endpoints: [
      ...wellKnownEndpoints(baseUrl),
      register(clients, addressOf),
      deviceAuthorization(clients, baseUrl, addressOf),
      token(clients, evict, baseUrl),
      revoke(clients, evict),
    ],
  });
  const pages = createApi<Visitor>({
    ...atRoot,
    endpoints: pageEndpoints(clients),
    authenticate: visitorOf,
  });
  const account = createApi<SignedInVisitor>({
    ...every,
    prefix: '/account',
    endpoints: accountEndpoints(clients, evict),
    authenticate: authenticateVisitor(visitorOf),
  });
  return [programs, pages, account];
}
