import { type Api, createApi, type Endpoint, type OpenApiDocument, openApiDocument } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { accountEndpoints } from '../account/index.ts';
import type { SignedInVisitor } from '../account/signed-in-visitor.ts';
import { deviceAuthorization } from '../oauth/device-authorization.ts';
import { register } from '../oauth/register.ts';
import { revoke } from '../oauth/revoke.ts';
import { token } from '../oauth/token.ts';
import { showConsent } from '../pages/consent.ts';
import type { Clients } from '../peers/peers.ts';
import { documentedCallbackEndpoints } from '../provider-callbacks/index.ts';
import { asyncApiDocument } from './async-api-document.ts';
import { describedWebhooks } from './described-events.ts';
import { publicEndpoints, publicTags, securitySchemes } from '../routes/public-api.ts';
import { authorizationServer, protectedResource } from '../well-known/discovery-endpoints.ts';

/** The address in the committed documents: that of the local stack. */
const COMMITTED_URL = 'http://127.0.0.1:8080';

/** Endpoints that are only described make no requests. */
const unconnected = {} as Clients;

/** The OpenAPI document of the public API without a running gateway; committed, so that a change of the contract is seen in review. */
export function publicApiDocument(): OpenApiDocument {
  const api = createApi<EmployeePrincipal>({
    prefix: '/api/v1',
    endpoints: publicEndpoints(unconnected, () => {}, ''),
    authenticate: () => Promise.reject(new Error('this API is only described')),
  });
  return describeApi(api, COMMITTED_URL);
}

/** The AsyncAPI document without a running gateway, committed for the same reason. */
export function publicAsyncApiDocument(): ReturnType<typeof asyncApiDocument> {
  return asyncApiDocument(COMMITTED_URL);
}

/** The dashboard's own endpoints, from which its types are generated; this document is not published. */
export function accountApiDocument(): OpenApiDocument {
  const api = createApi<SignedInVisitor>({
    prefix: '/account',
    endpoints: accountEndpoints(unconnected, () => {}),
    authenticate: () => Promise.reject(new Error('this API is only described')),
  });
  return openApiDocument({
    title: 'Account',
    version: '1',
    description: 'One’s own account, for the dashboard.',
    apis: [api],
    servers: [],
    securitySchemes: {},
  });
}

export function describeApi(api: Api, publicUrl: string): OpenApiDocument {
  const open = { authenticated: false, limited: false };
  const oauth = { ...open, prefix: '', endpoints: documentedOAuthEndpoints(unconnected) };
  const callbacks = { ...open, prefix: '/webhooks', endpoints: documentedCallbackEndpoints(unconnected) };
  return openApiDocument({
    title: 'Parley API',
    version: '1',
    description: `A business phone system: numbers, calls, contacts, texts and webhooks. [Guides](${publicUrl}/docs/guides) · [All events](${publicUrl}/docs/events).`,
    // Wrong credentials are limited even in an installation without a general limit.
    apis: [{ ...api, limited: true }, oauth, callbacks],
    webhooks: describedWebhooks('Events'),
    tags: publicTags,
    servers: [{ url: publicUrl }],
    securitySchemes,
  });
}

/**
 * The OAuth endpoints of the API reference, in the order of the flow. The metadata is the same under its
 * other paths but `/mcp`, and the consent form is not part of the API.
 */
function documentedOAuthEndpoints(clients: Clients): Endpoint<never>[] {
  const undecided = () => '';
  return [
    protectedResource(undecided, ''),
    protectedResource(undecided, '/mcp'),
    authorizationServer(undecided, ''),
    register(clients, undecided),
    showConsent(clients),
    deviceAuthorization(clients, undecided, undecided),
    token(clients, () => {}, undecided),
    revoke(clients, () => {}),
  ];
}
