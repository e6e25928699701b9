import { type Api, createApi, type Observe } from '@parley/http';
import type { AddressOf } from './client-address/client-address.ts';
import type { FailureLimit } from './client-address/failure-limit.ts';
import type { ForgetCredential } from './credentials/forget-credential.ts';
import { pageEndpoints } from './pages/index.ts';
import { readVisitor, type Visitor } from './pages/visitor.ts';
import type { Clients } from './peers/peers.ts';
import { baseUrls } from './well-known/base-url.ts';
import { wellKnownEndpoints } from './well-known/index.ts';
import { oauthEndpoints } from './oauth/index.ts';

/** The endpoints at the root: discovery, OAuth and the pages. */
export function identityApis(options: {
  clients: Clients;
  forget: ForgetCredential;
  publicUrl: string;
  publicHosts: readonly string[];
  addressOf: AddressOf;
  failureLimit: FailureLimit;
  every: { observe: Observe; checkResponses: boolean };
}): Api[] {
  const { clients, forget, addressOf, failureLimit, every } = options;
  const baseUrl = baseUrls(options.publicUrl, options.publicHosts);
  const atRoot = { ...every, prefix: '' };
  const programs = createApi({
    ...atRoot,
    endpoints: [...wellKnownEndpoints(baseUrl), ...oauthEndpoints(clients, forget, addressOf, baseUrl)],
  });
  const pages = createApi<Visitor>({
    ...atRoot,
    endpoints: pageEndpoints(clients, forget),
    authenticate: readVisitor(clients, { baseUrl, addressOf, failureLimit }),
  });
  return [programs, pages];
}
