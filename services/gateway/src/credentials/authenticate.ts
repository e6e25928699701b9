import type { IncomingMessage } from 'node:http';
import { HttpError, unauthorized } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import type { VerifiedCredentials } from './verified-credentials.ts';

/** Longer than any credential we issue. */
const CREDENTIAL_LENGTH_MAX = 256;

/** Finds out who asks. An access token counts before an API key when both are sent. */
export function authenticate(apiKeys: VerifiedCredentials, accessTokens: VerifiedCredentials) {
  return async (request: IncomingMessage): Promise<EmployeePrincipal> => {
    const { authorization } = request.headers;
    const apiKey = request.headers['x-api-key'];
    if (authorization !== undefined) {
      const [, token] = /^Bearer +([\w.~+/=-]+)$/i.exec(authorization) ?? [];
      const caller =
        token !== undefined && token.length <= CREDENTIAL_LENGTH_MAX ? await accessTokens.verify(token) : undefined;
      if (!caller) throw unauthorized('Invalid access token');
      return caller;
    }
    if (typeof apiKey !== 'string' || apiKey === '') throw unauthorized('Missing credentials');
    const caller =
      apiKey.startsWith('pk_') && apiKey.length <= CREDENTIAL_LENGTH_MAX ? await apiKeys.verify(apiKey) : undefined;
    if (!caller) throw new HttpError(401, { error: 'Invalid API key' });
    return caller;
  };
}
