import type { IncomingMessage } from 'node:http';
import { unauthorized } from '@parley/http';
import type { EmployeePrincipal } from '@parley/rpc';
import { isOwnRequest } from '../credentials/authenticate.ts';
import type { Visitor } from '../pages/visitor.ts';

/** An employee at a browser, whose sign-in is complete. */
export interface SignedInVisitor extends Visitor {
  readonly employee: EmployeePrincipal;
}

/** The session of the dashboard is the only credential here: a key or an app cannot make keys, or change a password. */
export function authenticateVisitor(visitorOf: (request: IncomingMessage) => Promise<Visitor>) {
  return async (request: IncomingMessage): Promise<SignedInVisitor> => {
    const visitor = await visitorOf(request);
    if (!visitor.employee || !isOwnRequest(request, new URL(visitor.baseUrl).origin))
      throw unauthorized('Sign in to the dashboard');
    return { ...visitor, employee: visitor.employee };
  };
}
