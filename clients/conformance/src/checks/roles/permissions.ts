import { expect } from '../../expectations/expect.ts';
import { freshPhone, freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { newcomer } from '../employees/employee.ts';

const { must } = checksOf('roles');
const ROLES = { source: 'people.md: Roles', profile: 'full' } as const;
const SHAPES = { source: 'people.md: Shapes', profile: 'full' } as const;
const FORBIDDEN = { error: 'forbidden', code: 'forbidden' };

/** What needs an admin, without a body: the role is decided before it. */
const ADMINISTRATION: readonly (readonly [method: string, path: string])[] = [
  ['PATCH', '/company'],
  ['POST', '/employees'],
  ['DELETE', '/employees/:employee'],
  ['PATCH', '/business_numbers/:number'],
  ['PUT', '/business_numbers/:number/incoming_call_config'],
  ['PUT', '/business_numbers/:number/outside_business_hours_config'],
  ['PUT', '/business_numbers/:number/no_answer_config'],
  ['POST', '/business_numbers/:number/voice_previews'],
  ['PATCH', '/business_numbers/:number/texting_settings'],
  ['GET', '/webhooks'],
  ['POST', '/webhooks'],
  ['GET', '/webhooks/:webhook'],
  ['PATCH', '/webhooks/:webhook'],
  ['DELETE', '/webhooks/:webhook'],
  ['POST', '/webhooks/:webhook/rotate_secret'],
  ['GET', '/webhooks/:webhook/deliveries'],
  ['POST', '/webhooks/:webhook/test'],
  ['GET', '/audit_events'],
  ['GET', '/audit_events.csv'],
  ['GET', '/privacy/retention'],
  ['PUT', '/privacy/retention'],
  ['POST', '/privacy/erasures'],
  ['POST', '/privacy/exports'],
];

export const permissionChecks: readonly Check[] = [
  must(30, 'A member is refused what needs an admin, whether its object exists or not.', ROLES, async (context) => {
    const texting = { messaging: true };
    const [company, another] = [await context.companies.shared(texting), await context.companies.another(texting)];
    const member = await company.hire();
    const idsOf = async (one: typeof company) => {
      const [number, employee] = [await one.number(), await one.hire()];
      const webhook = { name: 'Probe', url: 'https://hooks.example.com/', events: ['call.ended'] };
      const { id } = await one.post('/webhooks', webhook).gives(201);
      return { number: number.id, employee: employee.id, webhook: id };
    };
    const unknown = { number: `num_${freshWord()}`, employee: `emp_${freshWord()}`, webhook: `whk_${freshWord()}` };
    for (const ids of [await idsOf(company), await idsOf(another), unknown])
      for (const [method, path] of ADMINISTRATION)
        await member
          .send(
            method,
            path.replace(/:(\w+)/, (_, kind: string) => ids[kind as keyof typeof ids]),
          )
          .isRefused(403, FORBIDDEN);
  }),

  must(31, 'A member who is refused changes nothing.', ROLES, async ({ companies }) => {
    const company = await companies.shared();
    const member = await company.hire();
    const [number, employee] = [await company.number({ name: 'Main' }), await company.hire()];
    await member.patch(`/business_numbers/${number.id}`, { name: 'Mine' }).isRefused(403, FORBIDDEN);
    await member.patch(`/employees/${employee.id}`, { name: 'Mine' }).isRefused(403, FORBIDDEN);
    await member.delete(`/employees/${employee.id}`).isRefused(403, FORBIDDEN);
    const city = freshWord();
    await member.patch('/company', { city }).isRefused(403, FORBIDDEN);
    await company.get(`/business_numbers/${number.id}`).gives(200, { name: 'Main' });
    await company.get(`/employees/${employee.id}`).gives(200, { name: employee.name });
    expect((await company.get('/company').gives(200)).city === city, false, 'whether the city was changed');
  }),

  must(32, 'The role is decided before the body is looked at.', SHAPES, async ({ companies }) => {
    const company = await companies.shared();
    const [member, admin] = [await company.hire(), await company.hire({ role: 'admin' })];
    const body = newcomer({ email: 'nobody' });
    await member.post('/employees', body).isRefused(403, FORBIDDEN);
    await admin.post('/employees', body).isRefused(422, { field: 'email' });
  }),

  must(33, 'A member reads company, employees, numbers, calls, inbox and contacts.', ROLES, async ({ companies }) => {
    const company = await companies.shared({ messaging: true });
    const member = await company.hire();
    const { id } = await company.number();
    for (const path of [
      '/company',
      '/employees',
      `/employees/${company.owner.id}`,
      `/employees/${company.owner.id}/do_not_disturb`,
      '/business_numbers',
      `/business_numbers/${id}`,
      `/business_numbers/${id}/texting_settings`,
      `/business_numbers/${id}/route_explanation`,
      '/contacts',
      '/calls',
      '/voicemails',
      '/inbox',
      '/text_snippets',
      `/caller_context?phone=${encodeURIComponent(freshPhone())}`,
    ])
      await member.get(path).gives(200);
  }),

  must(34, 'A member changes their own name and phone, and no address and role.', SHAPES, async ({ companies }) => {
    const company = await companies.shared();
    const member = await company.hire();
    const path = `/employees/${member.id}`;
    const change = { name: 'Ida Lund', phone: freshPhone() };
    await member.patch(path, change).gives(200, change);
    await member.patch(path, { email: newcomer().email }).isRefused(403, FORBIDDEN);
    for (const role of ['admin', 'owner']) await member.patch(path, { role }).isRefused(403, FORBIDDEN);
    await member.patch(path, { name: 'Other', role: 'owner' }).isRefused(403, FORBIDDEN);
    await company.get(path).gives(200, { ...change, email: member.email, role: 'member' });
  }),

  must(35, "A member sets their own do-not-disturb, and nobody else's.", SHAPES, async ({ companies }) => {
    const company = await companies.shared();
    const [member, other] = [await company.hire(), await company.hire()];
    await member
      .put(`/employees/${member.id}/do_not_disturb`, { enabled: true })
      .gives(200, { id: member.id, do_not_disturb: true });
    for (const id of [other.id, company.owner.id, `emp_${freshWord()}`])
      await member.put(`/employees/${id}/do_not_disturb`, { enabled: true }).isRefused(403, FORBIDDEN);
    await company.get(`/employees/${other.id}`).gives(200, { do_not_disturb: false });
  }),

  must(36, 'An admin administers employees, numbers, company and webhooks.', ROLES, async ({ companies }) => {
    const company = await companies.shared();
    const [admin, member] = [await company.hire({ role: 'admin' }), await company.hire()];
    const { id } = await company.number();
    await admin.patch('/company', { zip: '8000' }).gives(200, { zip: '8000' });
    await admin.patch(`/employees/${member.id}`, { name: 'Kirsten' }).gives(200, { name: 'Kirsten' });
    await admin.put(`/employees/${member.id}/do_not_disturb`, { enabled: true }).gives(200, { do_not_disturb: true });
    await admin.patch(`/business_numbers/${id}`, { name: 'Support' }).gives(200, { name: 'Support' });
    await admin
      .put(`/business_numbers/${id}/incoming_call_config`, { type: 'RejectConfig', message: 'We are closed.' })
      .gives(200);
    await admin.get('/webhooks').gives(200);
    await admin.get('/audit_events').gives(200);
    await admin.get('/privacy/retention').gives(200);
    await admin.delete(`/employees/${member.id}`).givesNothing();
  }),

  must(37, 'Only an owner requires the second factor.', ROLES, async ({ companies }) => {
    const company = await companies.shared();
    const [admin, owner] = [await company.hire({ role: 'admin' }), await company.hire({ role: 'owner' })];
    for (const value of [true, false])
      await admin.patch('/company', { requires_two_factor: value, zip: '9999' }).isRefused(403, FORBIDDEN);
    const { requires_two_factor: required, zip } = await company.get('/company').gives(200);
    expect([required, zip === '9999'], [false, false], 'what the admin tried to change');
    await owner.patch('/company', { requires_two_factor: true }).gives(200, { requires_two_factor: true });
    await owner.patch('/company', { requires_two_factor: false }).gives(200, { requires_two_factor: false });
  }),
];
