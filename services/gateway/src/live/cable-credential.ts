import type { IncomingMessage } from 'node:http';
import { HttpError } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';

/** The principal of a connection, and the check whether its credential is still valid. */
export interface CableCredential {
  readonly principal: EmployeePrincipal;
  /** Undefined when the credential is no longer valid. */
  recheck(): Promise<EmployeePrincipal | undefined>;
}

export interface CableCredentialOptions {
  /** Authenticates by the headers of an API request; throws when they hold no valid credential. */
  authenticate(request: IncomingMessage): Promise<EmployeePrincipal>;
  /** Authenticates by the session cookie of the dashboard; undefined without a session. */
  signedInEmployee(request: IncomingMessage): Promise<EmployeePrincipal | undefined>;
  isOwnOrigin(request: IncomingMessage): boolean;
}

/**
 * Finds the credential of a connection: the headers of the API, `?token=` with an access token for browsers that cannot
 * set headers, or the dashboard's session. A session counts only from our own pages: browsers send cookies from any.
 */
export async function findCredential(
  request: IncomingMessage,
  query: URLSearchParams,
  { authenticate, signedInEmployee, isOwnOrigin }: CableCredentialOptions,
): Promise<CableCredential | undefined> {
  const token = query.get('token');
  const { authorization, 'x-api-key': apiKey } = request.headers;
  if (authorization !== undefined || apiKey !== undefined || token !== null) {
    const headers =
      authorization === undefined && token !== null
        ? { ...request.headers, authorization: `Bearer ${token}` }
        : request.headers;
    const handshake = Object.assign(Object.create(request) as IncomingMessage, { headers });
    return credentialBy(() => authenticate(handshake).catch(refusedOnly));
  }
  return isOwnOrigin(request) ? credentialBy(() => signedInEmployee(request)) : undefined;
}

async function credentialBy(
  verify: () => Promise<EmployeePrincipal | undefined>,
): Promise<CableCredential | undefined> {
  const principal = await verify();
  return principal && { principal, recheck: verify };
}

/** A refused credential is treated as missing; other failures are rethrown, because they do not prove that it is invalid. */
function refusedOnly(error: unknown): undefined {
  if (!(error instanceof HttpError)) throw error;
}
