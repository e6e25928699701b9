import { hasRole } from '@parley/actor';
import { codeError } from '../responses/error-responses.ts';
import type { Endpoint, RoleHolder } from './endpoint.ts';

/** Throws at the start of the program for an endpoint that does not say who may use it. */
export function assertAccessDeclared<Context>({ role, method, path }: Endpoint<Context>): void {
  if (!['none', 'member', 'admin', 'owner'].includes(role))
    throw new Error(`${method} ${path} does not declare the role it requires`);
}

/** The endpoint may still refuse a principal with this role. */
export function hasRequiredRole<Context>({ role }: Pick<Endpoint<Context>, 'role'>, caller: Context): boolean {
  return role === 'none' || hasRole((caller as Partial<RoleHolder> | undefined)?.role, role);
}

/** Refuses a caller before anything of the request but its path is read: known, unknown and foreign ids are refused alike. */
export function authorize<Context>(
  endpoint: Endpoint<Context>,
  caller: Context,
  params: Readonly<Record<string, string | string[]>>,
): void {
  if (!hasRequiredRole(endpoint, caller) || endpoint.permits?.(caller, params) === false) throw forbidden();
}

/** Refuses fields that the caller may not send, before they are validated. */
export function authorizeFields<Context>(
  endpoint: Endpoint<Context>,
  caller: Context,
  params: unknown,
  body: unknown,
): void {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  if (endpoint.permitsFields?.(caller, params, isObject ? (body as Record<string, unknown>) : {}) === false)
    throw forbidden();
}

function forbidden(): Error {
  return codeError(403, 'forbidden');
}
