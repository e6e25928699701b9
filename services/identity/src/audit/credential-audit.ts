import { type AuditChanges, type AuditEntry, type AuditType, currentActor, runAs } from '@parley/actor';

/** A credential's entry in the audit log, with what else is said of it; it never contains the secret. */
export function auditOfCredential(
  type: Extract<AuditType, `${'api_key' | 'session' | 'connected_app'}.${string}`>,
  { id, name = '', employeeId }: { id: string; name?: string; employeeId: string },
  more: AuditChanges = {},
): AuditEntry {
  const object = { type: type.slice(0, type.indexOf('.')), id, name };
  const isNew = type.endsWith('.created');
  const isOver = type.endsWith('.revoked') || type.endsWith('.ended');
  const changes: AuditChanges = isNew
    ? { employee_id: { from: null, to: employeeId } }
    : isOver
      ? { employee_id: { from: employeeId, to: null } }
      : {};
  return { type, object, changes: { ...changes, ...more } };
}

/** An entry about how an employee signs in; it never contains a password, a secret or a code. */
export function auditOfAccount(
  type: Extract<AuditType, `${'password' | 'two_factor' | 'sign_in'}.${string}`>,
  { employeeId, name }: { employeeId: string; name: string },
  changes: AuditChanges = {},
): AuditEntry {
  return { type, object: { type: 'employee', id: employeeId, name }, changes };
}

/**
 * Runs work on behalf of an employee who has just proven who they are on the pages: the gateway makes those requests for itself. The
 * client's address and the request stay those of the request.
 */
export function runAsEmployee<Result>(
  { employeeId, name }: { employeeId: string; name: string },
  sessionId: string | undefined,
  work: () => Result,
): Result {
  const { address, requestId } = currentActor() ?? {};
  const actor = {
    type: 'employee' as const,
    id: employeeId,
    name,
    ...(sessionId !== undefined && { credential: { type: 'session', id: sessionId, name: '' } }),
    ...(address !== undefined && { address }),
    ...(requestId !== undefined && { requestId }),
  };
  return runAs(actor, work);
}
