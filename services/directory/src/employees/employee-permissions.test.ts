import { describe, expect, it } from '@jest/globals';
import type { Role } from '@parley/actor';
import type { CredentialType } from '@parley/rpc';
import type { EmployeeChange } from './employee.ts';
import { mayAddEmployee, mayChangeEmployee, mayRemoveEmployee } from './employee-permissions.ts';

const caller = (role: Role, credentialType: CredentialType = 'api_key') => ({
  employeeId: 'emp_1',
  role,
  credentialType,
});
const target = (role: Role, id = 'emp_2') => ({ id, role });

describe('an employee', () => {
  it.each<[string, Role, ReturnType<typeof target>, EmployeeChange, boolean]>([
    ['a member their own name', 'member', target('member', 'emp_1'), { name: 'A', phone: null }, true],
    ['a member their own address', 'member', target('member', 'emp_1'), { email: 'a@x.dk' }, false],
    ['a member their own role', 'member', target('member', 'emp_1'), { role: 'admin' }, false],
    ['a member another name', 'member', target('member'), { name: 'A' }, false],
    ['an admin a member', 'admin', target('member'), { email: 'a@x.dk', role: 'admin' }, true],
    ['an admin an admin', 'admin', target('admin'), { role: 'member' }, true],
    ['an admin an owner', 'admin', target('owner'), { name: 'A' }, false],
    ['an admin into an owner', 'admin', target('member'), { role: 'owner' }, false],
    ['an admin themselves into an owner', 'admin', target('admin', 'emp_1'), { role: 'owner' }, false],
    ['an owner an owner', 'owner', target('owner'), { role: 'member', email: 'a@x.dk' }, true],
    ['an owner into an owner', 'owner', target('member'), { role: 'owner' }, true],
  ])('the role decides about a change of an employee: %s (%#)', (_what, role, who, change, allowed) => {
    expect(mayChangeEmployee(caller(role), who, change)).toBe(allowed);
  });

  it('an employee never manages owners through an app', () => {
    const app = caller('owner', 'oauth_token');
    expect(mayChangeEmployee(app, target('owner'), { name: 'A' })).toBe(false);
    expect(mayChangeEmployee(app, target('owner', 'emp_1'), { email: 'a@x.dk' })).toBe(false);
    expect(mayChangeEmployee(app, target('member'), { role: 'owner' })).toBe(false);
    expect([mayAddEmployee(app, 'owner'), mayRemoveEmployee(app, target('owner'))]).toEqual([false, false]);
    expect(mayChangeEmployee(app, target('owner', 'emp_1'), { name: 'A' })).toBe(true);
    expect(mayChangeEmployee(app, target('admin'), { email: 'a@x.dk' })).toBe(true);
  });

  it('an employee adds and deletes owners only as an owner', () => {
    expect((['admin', 'owner'] as const).map((role) => mayAddEmployee(caller(role), 'owner'))).toEqual([false, true]);
    expect((['admin', 'owner'] as const).map((role) => mayRemoveEmployee(caller(role), target('owner')))).toEqual([
      false,
      true,
    ]);
    expect(mayRemoveEmployee(caller('admin'), target('admin'))).toBe(true);
  });
});
