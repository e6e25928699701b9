import { eventually } from '../../expectations/eventually.ts';
import { expect } from '../../expectations/expect.ts';
import { listOf, oneOf } from '../../expectations/shapes.ts';
import { prepared } from '../../world/prepared.ts';
import { type Check, checksOf } from '../check.ts';
import { newcomer } from '../employees/employee.ts';

const { must } = checksOf('roles');
const ROLES = { source: 'people.md: Roles', profile: 'full' } as const;
const API = { source: 'people.md: Roles', profile: 'api' } as const;
/** How soon a new role counts everywhere. */
const EFFECTIVE_WITHIN = { withinMs: 1000 };

export const assignmentChecks: readonly Check[] = [
  must(1, 'The first employee of a company is its owner.', ROLES, async ({ companies }) => {
    const company = await companies.shared();
    await company.get(`/employees/${company.owner.id}`).gives(200, { role: 'owner' });
  }),

  must(2, 'Every employee has a role.', API, async ({ companies }) => {
    const company = await companies.shared();
    const role = oneOf('owner', 'admin', 'member');
    await company.get('/employees').gives(200, { employees: listOf({ role }) });
  }),

  must(3, 'A new employee is a member, unless another role is given.', API, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.post('/employees', newcomer()).gives(201, { role: 'member' });
    await company.get(`/employees/${id}`).gives(200, { role: 'member' });
    for (const role of ['member', 'admin']) await company.post('/employees', newcomer({ role })).gives(201, { role });
  }),

  must(4, 'A role that there is not is refused.', API, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.post('/employees', newcomer()).gives(201);
    for (const role of ['boss', 'Owner', '', 1, ['admin'], { $ne: 'member' }]) {
      await company.post('/employees', newcomer({ role })).isRefused(422, { field: 'role' });
      await company.patch(`/employees/${id}`, { role }).isRefused(422, { field: 'role' });
    }
    await company.get(`/employees/${id}`).gives(200, { role: 'member' });
  }),

  must(5, 'An owner gives and takes every role.', ROLES, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.hire();
    for (const role of ['admin', 'owner', 'member', 'owner', 'admin']) {
      await company.patch(`/employees/${id}`, { role }).gives(200, { role });
      await company.get(`/employees/${id}`).gives(200, { role });
    }
    await company.patch(`/employees/${id}`, { role: 'owner' }).gives(200);
    await company.delete(`/employees/${id}`).givesNothing();
  }),

  must(6, 'An admin makes members and admins.', ROLES, async ({ companies }) => {
    const company = await companies.shared();
    const admin = await company.hire({ role: 'admin' });
    const { id } = await admin.post('/employees', newcomer({ role: 'admin' })).gives(201, { role: 'admin' });
    await admin.patch(`/employees/${id}`, { role: 'member' }).gives(200, { role: 'member' });
    await admin.patch(`/employees/${id}`, { role: 'admin' }).gives(200, { role: 'admin' });
    await admin.delete(`/employees/${id}`).givesNothing();
  }),

  must(7, 'An admin makes nobody owner.', ROLES, async ({ companies }) => {
    const company = await companies.shared();
    const admin = await company.hire({ role: 'admin' });
    const { id } = await company.hire();
    await admin.post('/employees', newcomer({ role: 'owner' })).isRefused(403, { code: 'forbidden' });
    for (const one of [id, admin.id])
      await admin.patch(`/employees/${one}`, { role: 'owner' }).isRefused(403, { code: 'forbidden' });
    await company.get(`/employees/${id}`).gives(200, { role: 'member' });
    await company.get(`/employees/${admin.id}`).gives(200, { role: 'admin' });
  }),

  must(8, 'An admin neither changes nor removes an owner.', ROLES, async ({ companies }) => {
    const company = await companies.shared();
    const [admin, owner] = [await company.hire({ role: 'admin' }), await company.hire({ role: 'owner' })];
    for (const change of [{ role: 'member' }, { name: 'Other' }, { email: newcomer().email }])
      await admin.patch(`/employees/${owner.id}`, change).isRefused(403, { code: 'forbidden' });
    await admin.delete(`/employees/${owner.id}`).isRefused(403, { code: 'forbidden' });
    await company.get(`/employees/${owner.id}`).gives(200, { role: 'owner', name: owner.name, email: owner.email });
  }),

  must(9, 'The last owner can be neither demoted nor removed.', ROLES, async ({ companies }) => {
    const company = await companies.fresh();
    const { id } = company.owner;
    for (const role of ['admin', 'member'])
      await company.patch(`/employees/${id}`, { role }).isRefused(409, { code: 'last_owner' });
    await company.delete(`/employees/${id}`).isRefused(409, { code: 'last_owner' });
    await company.get(`/employees/${id}`).gives(200, { role: 'owner' });
    const second = await company.hire({ role: 'owner' });
    await second.patch(`/employees/${id}`, { role: 'member' }).gives(200, { role: 'member' });
    await second.patch(`/employees/${second.id}`, { role: 'member' }).isRefused(409, { code: 'last_owner' });
  }),

  must(10, 'Of two owners who remove each other at once, one stays.', ROLES, async ({ companies }) => {
    const company = await companies.fresh();
    const second = await company.hire({ role: 'owner' });
    await Promise.all([
      company.patch(`/employees/${second.id}`, { role: 'member' }),
      second.patch(`/employees/${company.owner.id}`, { role: 'member' }),
    ]);
    const { employees } = await prepared(company.get('/employees'), 200);
    const owners = employees.filter(({ role }: { role: string }) => role === 'owner');
    expect(owners.length, 1, 'the number of owners');
  }),

  must(11, 'A new role counts within a second for the keys that there are.', ROLES, async ({ companies }) => {
    const company = await companies.shared();
    const employee = await company.hire();
    await employee.get('/webhooks').isRefused(403, { code: 'forbidden' });
    await company.patch(`/employees/${employee.id}`, { role: 'admin' }).gives(200);
    await eventually('the new admin reads webhooks', () => employee.get('/webhooks').gives(200), EFFECTIVE_WITHIN);
    await company.patch(`/employees/${employee.id}`, { role: 'member' }).gives(200);
    await eventually('the new member does not', () => employee.get('/webhooks').isRefused(403), EFFECTIVE_WITHIN);
  }),
];
