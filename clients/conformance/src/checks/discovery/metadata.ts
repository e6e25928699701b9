import { expectThat } from '../../expectations/expect.ts';
import { exactly, listWith, someText } from '../../expectations/shapes.ts';
import { type Check, checksOf } from '../check.ts';

const { must } = checksOf('discovery');
const METADATA = { source: 'service-api.md: OAuth 2.0 bearer tokens', profile: 'api' } as const;
const PATHS = { source: 'service-api.md: OAuth and discovery', profile: 'api' } as const;
const CREDENTIALS = { source: 'decisions.md: Credentials', profile: 'api' } as const;

const SERVER = '/.well-known/oauth-authorization-server';
const RESOURCE = '/.well-known/oauth-protected-resource';

export const metadataChecks: readonly Check[] = [
  must(
    1,
    'The metadata of the authorization server have the values of the specification.',
    METADATA,
    async (context) => {
      const { baseUrl: base } = context.target;
      await context.http.get(SERVER).gives(200, {
        issuer: base,
        authorization_endpoint: `${base}/oauth/authorize`,
        token_endpoint: `${base}/oauth/token`,
        revocation_endpoint: `${base}/oauth/revoke`,
        registration_endpoint: `${base}/oauth/register`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        scopes_supported: ['api'],
      });
    },
  ),

  must(2, 'The metadata of the protected resource name it and its authorization server.', PATHS, async (context) => {
    const { baseUrl: base } = context.target;
    await context.http.get(RESOURCE).gives(200, { resource: base, authorization_servers: [base] });
  }),

  must(3, 'The metadata of the protected resource follow RFC 9728.', CREDENTIALS, async ({ http }) => {
    await http.get(RESOURCE).gives(200, {
      scopes_supported: ['api'],
      bearer_methods_supported: listWith('header'),
      resource_name: someText,
    });
  }),

  must(4, 'The metadata for `/mcp` are the same but for the resource.', PATHS, async ({ http, target }) => {
    const whole = await http.get(RESOURCE).gives(200);
    await http.get(`${RESOURCE}/mcp`).gives(200, exactly({ ...whole, resource: `${target.baseUrl}/mcp` }));
  }),

  must(
    5,
    'The metadata of the authorization server answer below the path of `/mcp` too.',
    CREDENTIALS,
    async ({ http }) => {
      const whole = await http.get(SERVER).gives(200);
      await http.get(`${SERVER}/mcp`).gives(200, exactly(whole));
    },
  ),

  must(6, 'The metadata are JSON, for everybody.', PATHS, async ({ http }) => {
    for (const path of [SERVER, RESOURCE, `${RESOURCE}/mcp`]) {
      await http.get(path).givesHeaders(200, { 'content-type': /^application\/json\b/ });
      await http.get(path, { 'X-Api-Key': 'pk_unknown', Authorization: 'Bearer unknown' }).gives(200);
    }
  }),

  must(7, 'A host that is not configured is in no metadata.', CREDENTIALS, async ({ http }) => {
    for (const host of ['evil.example', 'evil.example:8080', '127.0.0.1.evil.example'])
      for (const path of [SERVER, RESOURCE]) {
        const { text } = await http.get(path, { Host: host });
        const { text: forwarded } = await http.get(path, { 'X-Forwarded-Host': host, Forwarded: `host=${host}` });
        for (const body of [text, forwarded])
          expectThat(!body.includes('evil.example'), `GET ${path} for the host ${host} answers ${body}`);
      }
  }),
];
