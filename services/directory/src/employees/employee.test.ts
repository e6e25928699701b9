import { describe, expect, it } from '@jest/globals';
import {
  auditOfChange,
  auditOfEmployee,
  beginDeletion,
  cancelDeletion,
  createEmployee,
  deleteEmployee,
  type Employee,
  type EmployeeChange,
  isBeingDeleted,
  recordSignIn,
  updateEmployee,
} from './employee.ts';

const start = new Date('2026-01-05T09:00:00Z');
const later = new Date('2026-01-05T10:00:00Z');
const identity = { id: 'emp_1', companyId: 'com_1' };
const details = { name: 'Emma', email: 'Emma@Example.com', phone: null, role: 'member', invited: true } as const;

function employee(fields: Partial<Employee> = {}): Employee {
  const decision = createEmployee(identity, details, 'DK', start);
  if (!decision.ok) throw new Error(decision.refusal.message);
  return { ...decision.state, ...fields };
}

describe('creating an employee', () => {
  it('creating an employee keeps no characters in the name that control how it is shown', () => {
    const named = (name: string) => createEmployee(identity, { ...details, name }, 'DK', start);
    expect(named('\u202eEmma\u0000\nSmith\u2069 ')).toMatchObject({ ok: true, state: { name: 'Emma Smith' } });
    expect(named('\u202e')).toMatchObject({ ok: false, refusal: { fields: { name: ['is required'] } } });
  });

  it('creating an employee keeps the address as written and compares it without its case', () => {
    expect(employee()).toMatchObject({
      email: 'Emma@Example.com',
      emailKey: 'emma@example.com',
      invitationPending: true,
    });
  });

  it.each([
    ['20 30 40 50', '+4520304050'],
    ['+1 415 555 0101', '+14155550101'],
    ['  ', null],
    [null, null],
  ])('creating an employee reads the phone number %j as %j', (phone, read) => {
    const decision = createEmployee(identity, { ...details, phone }, 'DK', start);
    expect(decision).toMatchObject({ ok: true, state: { phone: read } });
  });

  it('creating an employee names every wrong field at once', () => {
    const wrong = { name: ' ', email: 'x', phone: 'y', role: 'member', invited: true } as const;
    const decision = createEmployee(identity, wrong, 'DK', start);
    expect(Object.keys((!decision.ok && decision.refusal.fields) || {})).toEqual(['name', 'email', 'phone']);
  });
});

describe('updating an employee', () => {
  it.each<[string, EmployeeChange, Partial<Employee>]>([
    ['a name', { name: 'Emma B' }, { name: 'Emma B' }],
    [
      'an address',
      { email: 'b@example.com' },
      { email: 'b@example.com', emailKey: 'b@example.com', emailKeys: ['b@example.com'], emailChange: 2 },
    ],
    ['a phone', { phone: '20304050' }, { phone: '+4520304050' }],
    ['call waiting', { callWaiting: true }, { callWaiting: true }],
  ])('updating an employee changes %s with one event', (_what, change, after) => {
    const expected = { ...employee(), ...after, updatedAt: later, revision: 2 };
    expect(updateEmployee(employee(), change, 'DK', later)).toMatchObject({
      ok: true,
      state: expected,
      events: [{ type: 'directory.employee.updated', employee: expected }],
    });
  });

  it('updating an employee without effect emits no event', () => {
    expect(updateEmployee(employee(), { name: 'Emma' }, 'DK', later)).toMatchObject({
      ok: true,
      state: employee(),
      events: [],
    });
  });
});

describe('an invitation', () => {
  it('an invitation ends with the first sign-in and stays ended', () => {
    const first = recordSignIn(employee(), later);
    expect(first).toMatchObject({
      state: { invitationPending: false },
      events: [{ type: 'directory.employee.updated' }],
    });
    expect(recordSignIn(employee({ invitationPending: false }), later)).toMatchObject({ events: [] });
  });
});

describe('leaving', () => {
  const until = new Date(start.getTime() + 30_000);

  it('leaving is visible until the employee is deleted or kept', () => {
    const leaving = beginDeletion(employee(), until);
    if (!leaving.ok) throw new Error('refused');
    expect(isBeingDeleted(leaving.state, start)).toBe(true);
    expect(isBeingDeleted(leaving.state, until)).toBe(false);
    expect(deleteEmployee(leaving.state, start)).toMatchObject({
      state: null,
      events: [{ type: 'directory.employee.deleted' }],
    });
    expect(cancelDeletion(leaving.state)).toMatchObject({ state: { leavingUntil: null }, events: [] });
  });

  it.each([
    ['never began', null, start],
    ['has expired', until, until],
  ])('leaving that %s deletes no employee', (_case, leavingUntil, now) => {
    expect(deleteEmployee(employee({ leavingUntil }), now)).toMatchObject({ ok: false, refusal: { code: 'conflict' } });
  });
});

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
  ])('the audit log records %s', (_what, change, type, fields) => {
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
