import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { addressKey, HttpError, type RateLimiter, unauthorized } from '@parley/http';
import type { EmployeePrincipal, OperatorPrincipal } from '@parley/rpc';
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

export interface SessionAuthenticationOptions {
  /** Authenticates by the headers of an API request; throws when they hold no valid credential. */
  authenticate(request: IncomingMessage): Promise<EmployeePrincipal>;
  /** Authenticates by the session cookie of the dashboard; undefined without a complete session. */
  signedInEmployee(request: IncomingMessage): Promise<EmployeePrincipal | undefined>;
  /** The origin of our own pages for this request. */
  originOf(request: IncomingMessage): string;
}

/**
 * Authenticates a request of the public API by its headers or, when it has none of ours, by the session of the dashboard.
 * Browsers send the session's cookie from any site: it counts only from our own pages.
 */
export function authenticateWithSession({ authenticate, signedInEmployee, originOf }: SessionAuthenticationOptions) {
  return async (request: IncomingMessage): Promise<EmployeePrincipal> => {
    const { authorization, cookie, 'x-api-key': apiKey } = request.headers;
    const mayHaveSession = authorization === undefined && apiKey === undefined && cookie !== undefined;
    const employee =
      mayHaveSession && isOwnRequest(request, originOf(request)) ? await signedInEmployee(request) : undefined;
    return employee ?? authenticate(request);
  };
}

/** Accepts requests of our own pages. A request without the headers that every browser sends is not one of a browser. */
export function isOwnRequest({ headers }: Pick<IncomingMessage, 'headers'>, ownOrigin: string): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && origin !== ownOrigin) return false;
  return site === undefined || site === 'same-origin' || site === 'none';
}

const operator: OperatorPrincipal = { kind: 'operator' };

/** Accepts the operator's token, or any of them while it is replaced; compared by digest, so that timing reveals nothing about it. */
export function authenticateOperator(tokens: readonly string[]) {
  const expected = tokens.map(digest);
  return (request: IncomingMessage): OperatorPrincipal => {
    const [, given] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
    const isValid = given !== undefined && expected.some((one) => timingSafeEqual(digest(given), one));
    if (!isValid) throw unauthorized('Invalid operator token');
    return operator;
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
