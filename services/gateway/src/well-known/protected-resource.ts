import { json, endpoint } from '@parley/http';
import { z } from 'zod';
import type { BaseUrl } from './base-url.ts';

const metadataSchema = z.object({
  resource: z.string(),
  authorization_servers: z.array(z.string()),
  scopes_supported: z.array(z.string()),
  bearer_methods_supported: z.array(z.string()),
  resource_name: z.string(),
});

/** RFC 9728. `suffix` is the path of the resource the document is about. */
export const protectedResource = (baseUrl: BaseUrl, suffix: string) =>
  endpoint()({
    role: 'none',
    method: 'get',
    path: `/.well-known/oauth-protected-resource${suffix}`,
    tag: 'OAuth',
    summary: suffix === '/mcp' ? 'Describe the MCP server' : 'Describe the protected resource',
    description:
      'Metadata of the resource that access tokens are for (RFC 9728): its authorization server and scopes. A response 401 names this address.',
    responses: { 200: metadataSchema },
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
