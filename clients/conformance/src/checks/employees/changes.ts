import { eventually } from '../../expectations/eventually.ts';
import { expectThat } from '../../expectations/expect.ts';
import { exactly } from '../../expectations/shapes.ts';
import { freshPhone, freshWord } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { freshEmail, MAILED_WITHIN, newcomer } from './employee.ts';

const { must } = checksOf('employees');
const ENDPOINTS = { source: 'service-api.md: Employees', profile: 'api' } as const;
const FIELDS = { source: 'service-api.md: Employee', profile: 'api' } as const;
const BODIES = { source: 'decisions.md: Bodies and statuses', profile: 'api' } as const;
const SENSITIVE = { source: 'people.md: Sensitive changes', profile: 'full' } as const;

export const changeChecks: readonly Check[] = [
  must(30, 'Name, address and phone number of an employee can be changed.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.post('/employees', newcomer()).gives(201);
    const change = { name: 'Bo Juhl', email: freshEmail(), phone: freshPhone() };
    const changed = await company.patch(`/employees/${id}`, change).gives(200, { id, ...change });
    await company.get(`/employees/${id}`).gives(200, exactly(changed));
  }),

  must(31, 'A change of an employee keeps what it leaves out.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const sent = newcomer({ phone: freshPhone() });
    const { id } = await company.post('/employees', sent).gives(201);
    await company.patch(`/employees/${id}`, { name: 'Carl' }).gives(200, { ...sent, name: 'Carl' });
    await company.patch(`/employees/${id}`, {}).gives(200, { ...sent, name: 'Carl' });
  }),

  must(32, 'Null clears the phone number of an employee.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.post('/employees', newcomer({ phone: freshPhone() })).gives(201);
    await company.patch(`/employees/${id}`, { phone: null }).gives(200, { phone: null });
    await company.get(`/employees/${id}`).gives(200, { phone: null });
  }),

  must(33, 'An employee cannot be given the address of another one.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const first = await company.post('/employees', newcomer()).gives(201);
    const second = await company.post('/employees', newcomer()).gives(201);
    await company.patch(`/employees/${second.id}`, { email: first.email }).isRefused(422, { field: 'email' });
    await company.get(`/employees/${second.id}`).gives(200, { email: second.email });
    await company.patch(`/employees/${second.id}`, { email: second.email }).gives(200, { email: second.email });
  }),

  must(34, 'A change of an employee moves `updated_at` and leaves `created_at`.', FIELDS, async ({ companies }) => {
    const company = await companies.shared();
    const made = await company.post('/employees', newcomer()).gives(201);
    const changed = await company
      .patch(`/employees/${made.id}`, { name: 'Dora' })
      .gives(200, { created_at: made.created_at });
    expectThat(
      Date.parse(changed.updated_at) > Date.parse(made.updated_at),
      `updated_at is ${changed.updated_at} after a change, and was ${made.updated_at} before it`,
    );
  }),

  must(35, 'A change of an employee with one wrong field changes no other field.', BODIES, async ({ companies }) => {
    const company = await companies.shared();
    const made = await company.post('/employees', newcomer()).gives(201);
    const path = `/employees/${made.id}`;
    for (const [field, value] of [
      ['email', 'nobody'],
      ['name', null],
      ['name', ''],
      ['phone', { $ne: null }],
    ] as const)
      await company.patch(path, { name: 'Elin', phone: freshPhone(), [field]: value }).isRefused(422, { field });
    await company.get(path).gives(200, exactly(made));
  }),

  must(36, 'The address of an invited employee changes at once.', SENSITIVE, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.post('/employees', newcomer()).gives(201, { email_confirmation_pending: false });
    const email = freshEmail();
    const changed = { email, email_confirmation_pending: false };
    await company.patch(`/employees/${id}`, { email }).gives(200, changed);
    await company.get(`/employees/${id}`).gives(200, changed);
  }),

  must(
    37,
    'A new address of an employee who has signed in is shown at once, and waits for a confirmation that goes to the old one.',
    SENSITIVE,
    async ({ companies, sandbox }) => {
      const company = await companies.fresh();
      const { id, email: old } = company.owner;
      const email = freshEmail();
      await company.get(`/employees/${id}`).gives(200, { email: old, email_confirmation_pending: false });
      await company.patch(`/employees/${id}`, { email }).gives(200, { email, email_confirmation_pending: true });
      await company.get(`/employees/${id}`).gives(200, { email, email_confirmation_pending: true });
      await eventually(
        'the mail with the link arrives at the old address',
        async () => {
          const mails = await sandbox.emailsTo(old);
          expectThat(
            mails.some(({ links }) => links.length > 0),
            'there is no mail with a link',
          );
        },
        MAILED_WITHIN,
      );
      // Both stay reserved meanwhile.
      for (const taken of [old, email])
        await company.post('/employees', newcomer({ email: taken })).isRefused(422, { field: 'email' });
    },
  ),

  must(
    38,
    'An unknown employee is answered with 404.',
    { source: 'service-api.md: Status codes', profile: 'api' },
    async ({ companies }) => {
      const company = await companies.shared();
      const path = `/employees/emp_${freshWord()}`;
      await company.get(path).isNotFound();
      await company.patch(path, { name: 'Nobody' }).isNotFound();
      await company.delete(path).isNotFound();
      await company.get(`${path}/do_not_disturb`).isNotFound();
      await company.put(`${path}/do_not_disturb`, { enabled: true }).isNotFound();
    },
  ),
];
