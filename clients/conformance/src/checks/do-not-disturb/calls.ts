import { eventually } from '../../expectations/eventually.ts';
import { expect, expectThat } from '../../expectations/expect.ts';
import { exactly } from '../../expectations/shapes.ts';
import type { Company, Employee } from '../../world/company.ts';
import type { Context } from '../../world/context.ts';
import type { Phone } from '../../world/phones.ts';
import { freshPhone } from '../../world/random.ts';
import { type Check, checksOf } from '../check.ts';
import { openNumber } from '../open-number.ts';

const { must } = checksOf('do-not-disturb');
const ENDPOINTS = { source: 'service-api.md: Employees', profile: 'full' } as const;
const STATUSES = { source: 'service-api.md: Employee status', profile: 'full' } as const;
const DECIDED = { source: 'decisions.md: Resources', profile: 'full' } as const;

/** An employee whose phone is on line. */
async function reachable({ sandbox }: Context, company: Company): Promise<{ employee: Employee; phone: Phone }> {
  const employee = await company.hire();
  const phone = sandbox.phone(employee.id);
  await phone.goes('online');
  await hasStatus(company, employee.id, 'available');
  return { employee, phone };
}

function hasStatus(company: Company, id: string, status: string): Promise<unknown> {
  return eventually(`the status is ${status}`, () => company.get(`/employees/${id}`).gives(200, { status }));
}

function transferTo(...employees: readonly { id: string }[]) {
  return { incoming_call_config: { type: 'TransferConfig', employee_ids: employees.map(({ id }) => id) } };
}

export const callChecks: readonly Check[] = [
  must(30, 'The status follows do-not-disturb.', STATUSES, async (context) => {
    const company = await context.companies.shared();
    const { employee } = await reachable(context, company);
    const path = `/employees/${employee.id}/do_not_disturb`;
    await company.put(path, { enabled: true }).gives(200, { status: 'do_not_disturb' });
    await company.get(`/employees/${employee.id}`).gives(200, { status: 'do_not_disturb' });
    await company.put(path, { enabled: false }).gives(200, { status: 'available' });
  }),

  must(31, 'Numbers that nobody else would answer are at risk.', ENDPOINTS, async (context) => {
    const company = await context.companies.shared();
    const [{ employee }, { employee: other, phone }] = [
      await reachable(context, company),
      await reachable(context, company),
    ];
    const absent = await company.hire();
    const alone = await company.number({ name: 'Alone', ...transferTo(employee, absent) });
    const both = await company.number({ name: 'Both', ...transferTo(employee, other) });
    await company.number({ name: 'Other', ...transferTo(other) });
    const path = `/employees/${employee.id}/do_not_disturb`;
    const atRisk = [exactly({ id: alone.id, name: 'Alone' })];
    await company.get(path).gives(200, { enabled: false, at_risk_main_numbers: atRisk });
    await phone.goes('offline');
    await hasStatus(company, other.id, 'logged_out');
    const { at_risk_main_numbers: numbers } = await company.get(path).gives(200);
    expect(numbers.map(({ id }: { id: string }) => id).sort(), [alone.id, both.id].sort(), 'the numbers at risk');
  }),

  must(32, 'Whoever is on do-not-disturb does not answer for others.', ENDPOINTS, async (context) => {
    const company = await context.companies.shared();
    const [{ employee }, { employee: other }] = [await reachable(context, company), await reachable(context, company)];
    const { id } = await company.number(transferTo(employee, other));
    const path = `/employees/${employee.id}/do_not_disturb`;
    await company.get(path).gives(200, { at_risk_main_numbers: [] });
    await company.put(`/employees/${other.id}/do_not_disturb`, { enabled: true }).gives(200);
    await company.get(path).gives(200, { at_risk_main_numbers: [{ id }] });
  }),

  must(33, 'The branches of a menu count as one group.', DECIDED, async (context) => {
    const company = await context.companies.shared();
    const [{ employee }, { employee: other }] = [await reachable(context, company), await reachable(context, company)];
    const branch = (digit: string, { id }: { id: string }) => ({
      digit,
      action_type: 'TransferConfig',
      employee_ids: [id],
    });
    const menu = (...options: readonly object[]) => ({
      incoming_call_config: { type: 'PhoneMenuConfig', welcome: 'Press a key', menu_options: options },
    });
    await company.number(menu(branch('1', employee), branch('2', other)));
    const { id } = await company.number(menu(branch('1', employee)));
    await company.get(`/employees/${employee.id}/do_not_disturb`).gives(200, { at_risk_main_numbers: [{ id }] });
  }),

  must(34, 'Switching it on stops the ringing, and another employee goes on ringing.', ENDPOINTS, async (context) => {
    const company = await context.companies.shared();
    const [first, second] = [await reachable(context, company), await reachable(context, company)];
    const { number } = await openNumber(company, transferTo(first.employee, second.employee).incoming_call_config);
    const leg = await context.sandbox.call(freshPhone(), number);
    const [ringing] = [await first.phone.rings(), await second.phone.rings()];
    await company.put(`/employees/${first.employee.id}/do_not_disturb`, { enabled: true }).gives(200);
    await ringing.is('ended');
    await second.phone.answers();
    await leg.is('connected');
    await leg.hangUp();
  }),

  must(35, 'Calls pass over whoever is on do-not-disturb.', ENDPOINTS, async (context) => {
    const company = await context.companies.shared();
    const [first, second] = [await reachable(context, company), await reachable(context, company)];
    const { number } = await openNumber(company, transferTo(first.employee, second.employee).incoming_call_config);
    await company.put(`/employees/${first.employee.id}/do_not_disturb`, { enabled: true }).gives(200);
    const leg = await context.sandbox.call(freshPhone(), number);
    await second.phone.answers();
    const legs = await first.phone.legs();
    expectThat(legs.length === 0, `the phone on do-not-disturb has legs: ${JSON.stringify(legs)}`);
    await leg.hangUp();
  }),
];
