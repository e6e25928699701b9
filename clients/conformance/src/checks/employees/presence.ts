import { eventually } from '../../expectations/eventually.ts';
import { freshPhone } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { openNumber } from '../open-number.ts';

const { must } = checksOf('employees');
const STATUSES = { source: 'service-api.md: Employee status', profile: 'full' } as const;
const RULES = { source: 'service-api.md: Other state rules', profile: 'full' } as const;

export const presenceChecks: readonly Check[] = [
  must(70, 'An invitation is pending until the first sign-in.', RULES, async ({ companies, sandbox }) => {
    const company = await companies.shared();
    const employee = await company.hire();
    const path = `/employees/${employee.id}`;
    await company.get(path).gives(200, { invitation_pending: true, status: 'logged_out' });
    // A softphone that comes on line has signed in.
    await sandbox.phone(employee.id).goes('online');
    await eventually('the invitation is over', () => company.get(path).gives(200, { invitation_pending: false }));
    await sandbox.phone(employee.id).goes('offline');
    await company.get(path).gives(200, { invitation_pending: false });
  }),

  must(
    71,
    'An employee with a phone is available, and logged out without one.',
    STATUSES,
    async ({ companies, sandbox }) => {
      const company = await companies.shared();
      const employee = await company.hire();
      const path = `/employees/${employee.id}`;
      const phone = sandbox.phone(employee.id);
      await phone.goes('online');
      await eventually('the employee is available', () => company.get(path).gives(200, { status: 'available' }));
      await phone.goes('offline');
      await eventually('the employee is logged out', () => company.get(path).gives(200, { status: 'logged_out' }));
    },
  ),

  must(
    72,
    'An employee in a conversation is on a call until it ends, do-not-disturb or not.',
    STATUSES,
    async (context) => {
      const { companies, sandbox } = context;
      const company = await companies.shared();
      const employee = await company.hire();
      const path = `/employees/${employee.id}`;
      const phone = sandbox.phone(employee.id);
      const status = (expected: string) =>
        eventually(`the status is ${expected}`, () => company.get(path).gives(200, { status: expected }));
      const { number } = await openNumber(company, { type: 'TransferConfig', employee_ids: [employee.id] });
      await phone.goes('online');
      await status('available');
      const leg = await sandbox.call(freshPhone(), number);
      await phone.answers();
      await status('on_call');
      await company
        .put(`${path}/do_not_disturb`, { enabled: true })
        .gives(200, { do_not_disturb: true, status: 'on_call' });
      await leg.hangUp();
      await status('do_not_disturb');
      await company.put(`${path}/do_not_disturb`, { enabled: false }).gives(200, { do_not_disturb: false });
      await status('available');
    },
  ),
];
