import { json, endpoint } from '@parley/http';
import { z } from 'zod';
import type { BaseUrl } from './base-url.ts';

/** Paths that a client may use as the resource: it appends them to the well-known name (RFC 8414, 9728). */
const RESOURCE_PATHS = ['', '/mcp', '/api/v1'];

/** The discovery documents. */
export const wellKnownEndpoints = (baseUrl: BaseUrl) =>
  RESOURCE_PATHS.flatMap((suffix) => [authorizationServer(baseUrl, suffix), protectedResource(baseUrl, suffix)]);

const authorizationServerSchema = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  revocation_endpoint: z.string(),
  registration_endpoint: z.string(),
  device_authorization_endpoint: z.string(),
  response_types_supported: z.array(z.string()),
  response_modes_supported: z.array(z.string()),
  grant_types_supported: z.array(z.string()),
  code_challenge_methods_supported: z.array(z.string()),
  token_endpoint_auth_methods_supported: z.array(z.string()),
  revocation_endpoint_auth_methods_supported: z.array(z.string()),
  scopes_supported: z.array(z.string()),
  authorization_response_iss_parameter_supported: z.boolean(),
});

/** RFC 8414. `suffix` is the path of a resource whose clients look for us below it. */
export const authorizationServer = (baseUrl: BaseUrl, suffix: string) =>
  endpoint('none')({
    route: `GET /.well-known/oauth-authorization-server${suffix}`,
    tag: 'OAuth',
    summary: 'Describe the authorization server',
    description:
      'Metadata of the OAuth 2.0 server (RFC 8414): its endpoints, grant types and scopes. Clients begin here.',
    responses: { 200: authorizationServerSchema },
    handle({ request }) {
      const base = baseUrl(request);
      return json(200, {
        issuer: base,
        authorization_endpoint: `${base}/oauth/authorize`,
        token_endpoint: `${base}/oauth/token`,
        revocation_endpoint: `${base}/oauth/revoke`,
        registration_endpoint: `${base}/oauth/register`,
        device_authorization_endpoint: `${base}/oauth/device_authorization`,
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        // As the specification has it: clients find the device grant by its endpoint.
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        revocation_endpoint_auth_methods_supported: ['none'],
        scopes_supported: ['api'],
        authorization_response_iss_parameter_supported: true,
      });
    },
  });

const protectedResourceSchema = z.object({
  resource: z.string(),
  authorization_servers: z.array(z.string()),
  scopes_supported: z.array(z.string()),
  bearer_methods_supported: z.array(z.string()),
  resource_name: z.string(),
});

/** RFC 9728. `suffix` is the path of the resource the document is about. */
export const protectedResource = (baseUrl: BaseUrl, suffix: string) =>
  endpoint('none')({
    route: `GET /.well-known/oauth-protected-resource${suffix}`,
    tag: 'OAuth',
    summary: suffix === '/mcp' ? 'Describe the MCP server' : 'Describe the protected resource',
    description:
      'Metadata of the resource that access tokens are for (RFC 9728): its authorization server and scopes. A response 401 names this address.',
    responses: { 200: protectedResourceSchema },
    handle({ request }) {
      const base = baseUrl(request);
      return json(200, {
        resource: `${base}${suffix}`,
        authorization_servers: [base],
        scopes_supported: ['api'],
        bearer_methods_supported: ['header'],
        resource_name: 'Parley',
      });
    },
  });
