import { expect } from '../../expectations/expect.ts';
import { exactly } from '../../expectations/shapes.ts';
import { type Check, checksOf } from '../check.ts';
import { newcomer } from './employee.ts';

const { must } = checksOf('employees');
const ENDPOINTS = { source: 'service-api.md: Employees', profile: 'api' } as const;
const FULL = { source: 'service-api.md: Employees', profile: 'full' } as const;
const TARGET = { source: 'decisions.md: Resources', profile: 'full' } as const;

export const removalChecks: readonly Check[] = [
  must(50, 'A removed employee is answered with 204 and is gone.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const { id } = await company.post('/employees', newcomer()).gives(201);
    await company.delete(`/employees/${id}`).givesNothing();
    await company.get(`/employees/${id}`).isNotFound();
    await company.patch(`/employees/${id}`, { name: 'Back' }).isNotFound();
    await company.delete(`/employees/${id}`).isNotFound();
    const { employees } = await company.get('/employees').gives(200);
    expect(
      employees.some((one: { id: string }) => one.id === id),
      false,
      'whether the removed employee is listed',
    );
  }),

  must(51, 'Nobody removes themselves with their own key.', FULL, async ({ companies }) => {
    const company = await companies.shared();
    const admin = await company.hire({ role: 'admin' });
    await admin.delete(`/employees/${admin.id}`).isRefused(403, { error: 'forbidden' });
    await admin.get(`/employees/${admin.id}`).gives(200, { id: admin.id });
  }),

  must(
    52,
    'An employee whom a business number calls is not removed, and the numbers are named.',
    TARGET,
    async (context) => {
      const company = await context.companies.shared();
      const employee = await company.hire();
      const config = { type: 'TransferConfig', employee_ids: [company.owner.id, employee.id] };
      const number = await company.number({ name: 'Sales', incoming_call_config: config });
      const { main_numbers: numbers } = await company
        .delete(`/employees/${employee.id}`)
        .isRefused(409, { code: 'employee_in_use' });
      expect(numbers, [exactly({ id: number.id, name: 'Sales' })], '`main_numbers`');
      await company.get(`/employees/${employee.id}`).gives(200, { id: employee.id });
      await company
        .get(`/business_numbers/${number.id}`)
        .gives(200, { incoming_call_config: { employee_ids: config.employee_ids } });
    },
  ),

  must(53, 'An employee in a menu or an after-hours flow is not removed either.', FULL, async ({ companies }) => {
    const company = await companies.shared();
    const employee = await company.hire();
    const { id } = await company.number();
    const transfer = { type: 'TransferConfig', employee_ids: [employee.id] };
    const options = [{ digit: '1', action_type: 'TransferConfig', employee_ids: [employee.id] }];
    for (const [slot, config] of [
      ['outside_business_hours_config', transfer],
      ['no_answer_config', transfer],
      ['outside_business_hours_config', { type: 'PhoneMenuConfig', welcome: 'Press 1', menu_options: options }],
    ] as const) {
      await company.put(`/business_numbers/${id}/${slot}`, config).gives(200);
      await company.delete(`/employees/${employee.id}`).isRefused(409, { code: 'employee_in_use' });
      await company.put(`/business_numbers/${id}/${slot}`, { type: null }).gives(200);
    }
  }),

  must(54, 'An employee whom no business number calls any more is removed.', FULL, async ({ companies }) => {
    const company = await companies.shared();
    const employee = await company.hire();
    const { id } = await company.number({
      incoming_call_config: { type: 'TransferConfig', employee_ids: [employee.id] },
    });
    await company.delete(`/employees/${employee.id}`).isRefused(409, { code: 'employee_in_use' });
    await company
      .put(`/business_numbers/${id}/incoming_call_config`, { type: 'TransferConfig', employee_ids: [company.owner.id] })
      .gives(200);
    await company.delete(`/employees/${employee.id}`).givesNothing();
  }),
];
