import type { IncomingMessage } from 'node:http';
import {
  type Api,
  createApi,
  type Endpoint,
  HttpError,
  type Observe,
  type RateLimiter,
  type ResponseHeaders,
} from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { Telemetry } from '@parley/telemetry';
import type { Clients } from '../peers/peers.ts';
import type { BaseUrl } from '../well-known/base-url.ts';
import { mcpServers } from './mcp-server.ts';
import { postMessage } from './post-message.ts';
import { toolsOf } from './tool.ts';

export interface McpApiOptions {
  readonly clients: Pick<Clients, 'messages'>;
  /** The endpoints of /api/v1, whose tools these are. */
  readonly endpoints: readonly Endpoint<EmployeePrincipal>[];
  readonly authenticate: (request: IncomingMessage) => Promise<EmployeePrincipal>;
  readonly limit: { readonly limiter: RateLimiter; keyOf(principal: EmployeePrincipal): string } | undefined;
  readonly publicUrl: string;
  readonly publicHosts: readonly string[];
  readonly baseUrl: BaseUrl;
  readonly telemetry: Telemetry;
  readonly every: { readonly observe: Observe; readonly checkResponses: boolean };
}

/** The Model Context Protocol server: the endpoints of the API as tools of an employee's assistant. */
export function mcpApi(options: McpApiOptions): Api {
  const { clients, endpoints, limit, telemetry, every } = options;
  const checkOrigin = originCheck(options.publicUrl, options.publicHosts);
  const authenticate = challengeForMcp(options.authenticate, options.baseUrl);
  const serverFor = mcpServers({
    tools: toolsOf(endpoints),
    checkFeature: async (_texting, principal) => void (await clients.messages.checkTexting({}, { as: principal })),
    telemetry,
  });
  function countRequests(principal: EmployeePrincipal, requests: number): void {
    for (let count = 0; limit && count < requests; count += 1) {
      const { allowed, headers } = limit.limiter.consume(limit.keyOf(principal));
      if (!allowed) throw new HttpError(429, { error: 'rate_limited', code: 'rate_limited' }, headers);
    }
  }
  return createApi<EmployeePrincipal>({
    ...every,
    prefix: '/mcp',
    endpoints: [postMessage({ serverFor, countRequests })],
    authenticate(request) {
      checkOrigin(request);
      // Clients look whether there is a stream to listen to before they have a credential.
      if (request.method !== 'POST') throw new HttpError(405, { error: 'method_not_allowed' }, { Allow: 'POST' });
      return authenticate(request);
    },
    ...(limit && { limit }),
  });
}

/** Refuses like `authenticate`, with the address of the metadata for tokens of `/mcp` (RFC 9728 section 5.1). */
function challengeForMcp<Principal>(
  authenticate: (request: IncomingMessage) => Promise<Principal>,
  baseUrl: BaseUrl,
): (request: IncomingMessage) => Promise<Principal> {
  return async (request) => {
    try {
      return await authenticate(request);
    } catch (error) {
      if (!(error instanceof HttpError) || error.response.status !== 401) throw error;
      const metadata = `${baseUrl(request)}/.well-known/oauth-protected-resource/mcp`;
      const headers: ResponseHeaders = {
        'WWW-Authenticate': `Bearer error="invalid_token", resource_metadata="${metadata}"`,
      };
      throw new HttpError(401, error.response.body, headers);
    }
  };
}

/**
 * Refuses what a page of another site sends, so that a name that was pointed at this server (DNS rebinding) is of no
 * use. Programs send no `Origin`.
 */
function originCheck(publicUrl: string, publicHosts: readonly string[]) {
  const own = new Set([new URL(publicUrl).hostname, ...publicHosts].map((host) => host.toLowerCase()));
  return ({ headers: { origin } }: IncomingMessage): void => {
    if (origin === undefined) return;
    if (!own.has(hostOf(origin))) throw new HttpError(403, { error: 'forbidden' });
  };
}

function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).hostname : '';
}
