import type { IncomingMessage } from 'node:http';
import type { EmployeePrincipal } from '@parley/rpc';

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
