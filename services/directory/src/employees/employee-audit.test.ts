import { describe, expect, it } from '@jest/globals';
import { auditOfChange, auditOfEmployee } from './employee-audit.ts';
import type { Employee } from './employee.ts';

const emma = { id: 'emp_1', name: 'Emma', email: 'emma@example.com', phone: null, role: 'member' } as Employee;

describe('the audit log', () => {
  it.each<[string, Partial<Employee>, string, string[]]>([
    ['another name', { name: 'Emma B' }, 'employee.updated', ['name']],
    ['another role and name', { name: 'E', role: 'admin' }, 'employee.role_changed', ['name', 'role']],
    [
      'an address that is to be confirmed',
      { email: 'e@example.com', signInEmail: 'emma@example.com' },
      'employee.email_changed',
      ['email', 'email_confirmation_pending'],
    ],
  ])('records %s', (_what, change, type, fields) => {
    const audit = auditOfChange(emma, { ...emma, ...change });
    expect([audit?.type, Object.keys(audit?.changes ?? {})]).toEqual([type, fields]);
  });

  it('the audit log records that an address was confirmed', () => {
    const audit = auditOfChange({ ...emma, signInEmail: 'old@example.com' }, emma);
    expect(audit).toMatchObject({
      type: 'employee.email_confirmed',
      changes: { email_confirmation_pending: { from: true, to: false } },
    });
  });

  it('the audit log records nothing of what it does not show', () => {
    const next: Employee = { ...emma, invitationPending: false, revision: 2 };
    expect(auditOfChange(emma, next)).toBeUndefined();
  });

  it('the audit log records who was added and removed', () => {
    expect(auditOfEmployee('created', emma).changes).toMatchObject({ role: { from: null, to: 'member' } });
    expect(auditOfEmployee('removed', emma)).toMatchObject({
      type: 'employee.removed',
      object: { type: 'employee', id: 'emp_1', name: 'Emma' },
      changes: { email: { from: 'emma@example.com', to: null } },
    });
  });
});
