import type { IncomingMessage } from 'node:http';
import { type ResponseHeaders, HttpError } from '@parley/http';
import type { BaseUrl } from '../well-known/base-url.ts';

/** Refuses like `authenticate`, with the address of the metadata for tokens of `/mcp` (RFC 9728 section 5.1). */
export function challengeForMcp<Principal>(
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
