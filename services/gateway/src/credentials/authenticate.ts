import type { IncomingMessage } from 'node:http';
import { addressKey, HttpError, type RateLimiter, unauthorized } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { AddressOf } from '../client-address/client-address.ts';
import type { VerifiedCredentials } from './verified-credentials.ts';

/** Longer than any credential we issue. */
const CREDENTIAL_LENGTH_MAX = 256;

export interface AuthenticateOptions {
  readonly apiKeys: VerifiedCredentials;
  readonly accessTokens: VerifiedCredentials;
  /** Wrong credentials per address. */
  readonly failures: RateLimiter;
  readonly addressOf: AddressOf;
}

/**
 * Authenticates a request. An access token takes precedence over an API key. An address that has sent too many
 * wrong credentials is refused without a request to identity, except with a credential that is known to be valid.
 */
export function authenticate({ apiKeys, accessTokens, failures, addressOf }: AuthenticateOptions) {
  async function verify(
    request: IncomingMessage,
    credentials: VerifiedCredentials,
    credential: string,
  ): Promise<EmployeePrincipal | undefined> {
    const isKnown = credentials.isKnown(credential);
    const key = isKnown ? '' : addressKey(addressOf(request));
    const waitSecs = isKnown ? 0 : failures.waitSecs(key);
    if (waitSecs > 0)
      throw new HttpError(429, { error: 'rate_limited', code: 'rate_limited' }, { 'Retry-After': String(waitSecs) });
    const principal = await credentials.verify(credential);
    if (!principal && !isKnown) failures.consume(key);
    return principal;
  }

  return async (request: IncomingMessage): Promise<EmployeePrincipal> => {
    const { authorization } = request.headers;
    const apiKey = request.headers['x-api-key'];
    if (authorization !== undefined) {
      const [, token] = /^Bearer +([\w.~+/=-]+)$/i.exec(authorization) ?? [];
      const isToken = token !== undefined && token.length <= CREDENTIAL_LENGTH_MAX;
      const principal = isToken ? await verify(request, accessTokens, token) : undefined;
      if (!principal) throw unauthorized('Invalid access token');
      return principal;
    }
    if (typeof apiKey !== 'string' || apiKey === '') throw unauthorized('Missing credentials');
    const isKey = apiKey.startsWith('pk_') && apiKey.length <= CREDENTIAL_LENGTH_MAX;
    const principal = isKey ? await verify(request, apiKeys, apiKey) : undefined;
    if (!principal) throw new HttpError(401, { error: 'Invalid API key' });
    return principal;
  };
}
