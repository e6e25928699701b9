import { type AuditEntry, type AuditType, changedFields, type Role } from '@parley/actor';

/** The audited fields of an employee. */
interface AuditedEmployee {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string | null;
  readonly forwardTo: string | null;
  readonly role: Role;
  readonly callWaiting: boolean;
  readonly signInEmail?: string;
}

export function auditOfEmployee(verb: 'created' | 'removed', employee: AuditedEmployee): AuditEntry {
  const fields = auditFields(employee);
  const [before, after] = verb === 'created' ? [{}, fields] : [fields, {}];
  const type: AuditType = `employee.${verb}`;
  return { type, object: objectOf(employee), changes: changedFields(before, after) };
}

/**
 * The same of a changed one, with the name of the most important change. A sign-in that ends an invitation is no change of the employee:
 * the session has its own entry.
 */
export function auditOfChange(before: AuditedEmployee, after: AuditedEmployee): AuditEntry | undefined {
  const changes = changedFields(auditFields(before), auditFields(after));
  if (Object.keys(changes).length === 0) return undefined;
  return { type: typeOf(Object.keys(changes)), object: objectOf(after), changes };
}

function typeOf(changed: readonly string[]): AuditType {
  if (changed.includes('role')) return 'employee.role_changed';
  if (changed.includes('email')) return 'employee.email_changed';
  return changed.includes('email_confirmation_pending') ? 'employee.email_confirmed' : 'employee.updated';
}

function objectOf({ id, name }: AuditedEmployee): AuditEntry['object'] {
  return { type: 'employee', id, name };
}

function auditFields({ name, email, phone, forwardTo, role, callWaiting, signInEmail }: AuditedEmployee) {
  return {
    name,
    email,
    phone,
    forward_to: forwardTo,
    role,
    call_waiting: callWaiting,
    email_confirmation_pending: signInEmail !== undefined,
  };
}
