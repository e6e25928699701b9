import { eventually } from '../../expectations/eventually.ts';
import { expect, expectThat } from '../../expectations/expect.ts';
import { exactly, listOf, listWith, matching } from '../../expectations/shapes.ts';
import { freshPhone } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { EMPLOYEE, MAILED_WITHIN, newcomer } from './employee.ts';

const { must } = checksOf('employees');
const ENDPOINTS = { source: 'service-api.md: Employees', profile: 'api' } as const;
const FIELDS = { source: 'service-api.md: Employee', profile: 'api' } as const;
const BODIES = { source: 'decisions.md: Bodies and statuses', profile: 'api' } as const;

export const creationChecks: readonly Check[] = [
  must(
    1,
    'A new employee is answered with 201 and all fields, invited and not signed in.',
    ENDPOINTS,
    async (context) => {
      const company = await context.companies.shared();
      const sent = newcomer({ phone: freshPhone() });
      await company.post('/employees', sent).gives(201, {
        ...EMPLOYEE,
        ...sent,
        invitation_pending: true,
        status: 'logged_out',
        do_not_disturb: false,
        do_not_disturb_activated_at: null,
        do_not_disturb_expires_at: null,
      });
    },
  ),

  must(2, 'An employee is read as answered when they were made.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const made = await company.post('/employees', newcomer()).gives(201);
    await company.get(`/employees/${made.id}`).gives(200, exactly(made));
  }),

  must(3, 'An employee needs no phone number.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    await company.post('/employees', newcomer()).gives(201, { phone: null });
    await company.post('/employees', newcomer({ phone: null })).gives(201, { phone: null });
  }),

  must(4, 'Employees are listed under `employees`, with all their fields.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const made = await company.post('/employees', newcomer()).gives(201);
    const { employees } = await company.get('/employees').gives(200, { employees: listOf(EMPLOYEE) });
    expect(employees, listWith(exactly(made)), 'the list of employees');
  }),

  must(5, 'An employee needs a name and an address.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    for (const field of ['name', 'email'])
      for (const value of [undefined, null, ''])
        await company.post('/employees', newcomer({ [field]: value })).isRefused(422, { field });
    const { errors } = await company.post('/employees', {}).isRefused(422, { code: 'validation_failed' });
    expect(Object.keys(errors).sort(), ['email', 'name'], 'the fields that `errors` names');
  }),

  must(6, 'An address that is none is refused.', FIELDS, async ({ companies }) => {
    const company = await companies.shared();
    for (const email of ['nobody', 'nobody@', '@example.com', 'no body@example.com', 'a@b@example.com'])
      await company.post('/employees', newcomer({ email })).isRefused(422, { field: 'email' });
  }),

  must(7, 'A field of an employee that is of another type is refused and named.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    for (const field of ['name', 'email', 'phone'])
      for (const value of [17, true, { $ne: null }, ['x']])
        await company.post('/employees', newcomer({ [field]: value })).isRefused(422, { field });
  }),

  must(8, 'Two employees of a company cannot have one address.', FIELDS, async ({ companies }) => {
    const company = await companies.shared();
    const { email } = await company.post('/employees', newcomer()).gives(201);
    await company.post('/employees', newcomer({ email })).isRefused(422, { field: 'email' });
  }),

  must(9, 'Employees of two companies cannot have one address.', { ...FIELDS, profile: 'full' }, async (context) => {
    const [company, another] = [await context.companies.shared(), await context.companies.another()];
    const { email } = await company.post('/employees', newcomer()).gives(201);
    await another.post('/employees', newcomer({ email })).isRefused(422, { field: 'email' });
    await another.post('/employees', newcomer({ email: company.owner.email })).isRefused(422, { field: 'email' });
  }),

  must(10, 'Ids of employees are texts with a prefix.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    await company.post('/employees', newcomer()).gives(201, { id: matching(/^[a-z]+_.{16,}$/) });
  }),

  must(11, 'A new employee gets an invitation by mail.', { ...ENDPOINTS, profile: 'full' }, async (context) => {
    const company = await context.companies.shared();
    const { email } = await company.post('/employees', newcomer()).gives(201);
    const mails = await eventually(
      'the invitation arrives',
      async () => {
        const found = await context.sandbox.emailsTo(email);
        expectThat(found.length > 0, 'there is no mail');
        return found;
      },
      MAILED_WITHIN,
    );
    expect(mails.length, 1, 'the number of mails');
    expectThat((mails[0]?.links.length ?? 0) > 0, 'the mail has no link');
  }),

  must(
    12,
    'Nothing of a password or second factor is in an employee, or can be written.',
    FIELDS,
    async ({ companies }) => {
      const company = await companies.shared();
      const secrets = { password: 'correct horse battery', two_factor_enabled: true, otp_secret: 'JBSWY3DPEHPK3PXP' };
      const made = await company.post('/employees', newcomer(secrets)).gives(201, { invitation_pending: true });
      const changed = await company.patch(`/employees/${made.id}`, secrets).gives(200, { invitation_pending: true });
      for (const key of Object.keys({ ...made, ...changed }))
        expectThat(!/password|two_?factor|otp|secret|hash|digest/i.test(key), `an employee has the field ${key}`);
    },
  ),

  must(13, 'A new employee ignores read-only fields.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    const sent = {
      id: 'emp_mine',
      status: 'available',
      invitation_pending: false,
      do_not_disturb: true,
      colour: 'green',
    };
    const made = await company.post('/employees', newcomer(sent)).gives(201, {
      status: 'logged_out',
      invitation_pending: true,
      do_not_disturb: false,
    });
    expectThat(made.id !== 'emp_mine', 'the id was taken from the request');
  }),
];
