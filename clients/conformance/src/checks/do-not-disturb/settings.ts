import { exactly, timestamp } from '../../expectations/shapes.ts';
import type { Company } from '../../world/company.ts';
import { type Check, checksOf } from '../check.ts';
import { newcomer } from '../employees/employee.ts';

const { must } = checksOf('do-not-disturb');
const ENDPOINTS = { source: 'service-api.md: Employees', profile: 'api' } as const;
const FIELDS = { source: 'service-api.md: Employee', profile: 'api' } as const;
const STATUSES = { source: 'service-api.md: Status codes', profile: 'api' } as const;

const HOUR_MS = 3_600_000;
/** Far enough for every clock. */
const LATER = '2099-12-31T10:00:00.000Z';
const OFF = { enabled: false, activated_at: null, expires_at: null };
const OFF_OF_EMPLOYEE = {
  do_not_disturb: false,
  do_not_disturb_activated_at: null,
  do_not_disturb_expires_at: null,
};

/** The path of an employee who was just made. */
async function somebody(company: Company): Promise<string> {
  const { id } = await company.post('/employees', newcomer()).gives(201);
  return `/employees/${id}`;
}

export const settingChecks: readonly Check[] = [
  must(1, 'Do-not-disturb is off at first.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const path = await somebody(company);
    await company.get(`${path}/do_not_disturb`).gives(200, exactly({ ...OFF, at_risk_main_numbers: [] }));
  }),

  must(2, 'Enabled without a time, it is on until it is switched off.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    for (const body of [{ enabled: true }, { enabled: true, expires_at: null }]) {
      const path = await somebody(company);
      const { do_not_disturb_activated_at: activatedAt } = await company
        .put(`${path}/do_not_disturb`, body)
        .gives(200, {
          do_not_disturb: true,
          do_not_disturb_activated_at: timestamp,
          do_not_disturb_expires_at: null,
        });
      const on = { enabled: true, activated_at: activatedAt, expires_at: null };
      await company.get(`${path}/do_not_disturb`).gives(200, on);
    }
  }),

  must(3, 'The answer to a change is the whole employee.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const path = await somebody(company);
    for (const enabled of [true, false]) {
      const changed = await company.put(`${path}/do_not_disturb`, { enabled }).gives(200, { do_not_disturb: enabled });
      await company.get(path).gives(200, exactly(changed));
    }
  }),

  must(4, 'It can be given an end.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const path = await somebody(company);
    const body = { enabled: true, expires_at: LATER };
    await company.put(`${path}/do_not_disturb`, body).gives(200, { do_not_disturb_expires_at: LATER });
    await company.get(`${path}/do_not_disturb`).gives(200, body);
  }),

  must(5, 'The end may be given with an offset of the time zone.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const path = await somebody(company);
    await company
      .put(`${path}/do_not_disturb`, { enabled: true, expires_at: '2099-12-31T12:00:00+02:00' })
      .gives(200, { do_not_disturb_expires_at: LATER });
  }),

  must(6, 'An end in the past is refused, and changes nothing.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const path = await somebody(company);
    for (const expiresAt of ['2001-01-01T00:00:00.000Z', new Date(Date.now() - HOUR_MS).toISOString()])
      await company
        .put(`${path}/do_not_disturb`, { enabled: true, expires_at: expiresAt })
        .isRefused(422, { field: 'expires_at' });
    await company.get(path).gives(200, OFF_OF_EMPLOYEE);
  }),

  must(7, 'An end that is no time is refused.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const path = await somebody(company);
    for (const expiresAt of ['tomorrow', '2099-13-01T00:00:00Z', '2099-02-30T00:00:00Z', 4_102_444_800, {}, true])
      await company
        .put(`${path}/do_not_disturb`, { enabled: true, expires_at: expiresAt })
        .isRefused(422, { field: 'expires_at' });
    await company.get(path).gives(200, OFF_OF_EMPLOYEE);
  }),

  must(8, 'Switched off, it has neither a beginning nor an end.', FIELDS, async ({ companies }) => {
    const company = await companies.shared();
    const path = await somebody(company);
    await company.put(`${path}/do_not_disturb`, { enabled: true, expires_at: LATER }).gives(200);
    await company.put(`${path}/do_not_disturb`, { enabled: false }).gives(200, OFF_OF_EMPLOYEE);
    await company.get(`${path}/do_not_disturb`).gives(200, OFF);
  }),

  must(9, 'The end is ignored when it is switched off, even one in the past.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const path = await somebody(company);
    await company.put(`${path}/do_not_disturb`, { enabled: true }).gives(200);
    for (const expiresAt of [LATER, '2001-01-01T00:00:00.000Z'])
      await company
        .put(`${path}/do_not_disturb`, { enabled: false, expires_at: expiresAt })
        .gives(200, OFF_OF_EMPLOYEE);
  }),

  must(10, '`enabled` is required, and true or false.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const path = await somebody(company);
    for (const enabled of [undefined, null, 'yes', 2, {}])
      await company.put(`${path}/do_not_disturb`, { enabled, expires_at: LATER }).isRefused(422, { field: 'enabled' });
    await company.get(path).gives(200, OFF_OF_EMPLOYEE);
  }),

  must(11, 'Enabled again without an end, it has none any more.', ENDPOINTS, async ({ companies }) => {
    const company = await companies.shared();
    const path = await somebody(company);
    await company.put(`${path}/do_not_disturb`, { enabled: true, expires_at: LATER }).gives(200);
    await company
      .put(`${path}/do_not_disturb`, { enabled: true })
      .gives(200, { do_not_disturb: true, do_not_disturb_expires_at: null });
  }),

  must(12, 'Do-not-disturb of an unknown employee is answered with 404.', STATUSES, async ({ companies }) => {
    const company = await companies.shared();
    const path = '/employees/emp_00000000000000000000/do_not_disturb';
    await company.get(path).isNotFound();
    await company.put(path, { enabled: true }).isNotFound();
  }),

  must(
    13,
    'It ends by itself at its time, and not before; without an end it stays.',
    { ...ENDPOINTS, profile: 'full', alone: true },
    async ({ companies, clock }) => {
      const company = await companies.shared();
      const [ending, lasting, stopped] = [await somebody(company), await somebody(company), await somebody(company)];
      const now = await clock.now();
      const end = (hours: number) => new Date(now.getTime() + hours * HOUR_MS).toISOString();
      await company.put(`${ending}/do_not_disturb`, { enabled: true, expires_at: end(2) }).gives(200);
      await company.put(`${lasting}/do_not_disturb`, { enabled: true }).gives(200);
      await company.put(`${stopped}/do_not_disturb`, { enabled: true, expires_at: end(2) }).gives(200);
      await company.put(`${stopped}/do_not_disturb`, { enabled: true, expires_at: end(6) }).gives(200);
      await clock.advance(3600);
      await company.get(ending).gives(200, { do_not_disturb: true, do_not_disturb_expires_at: end(2) });
      await clock.advance(2 * 3600);
      await company.get(ending).gives(200, OFF_OF_EMPLOYEE);
      await company.get(`${ending}/do_not_disturb`).gives(200, OFF);
      for (const path of [lasting, stopped]) await company.get(path).gives(200, { do_not_disturb: true });
    },
  ),

  must(
    14,
    'Switching on and off leaves the assignments of an employee.',
    { ...ENDPOINTS, source: 'service-api.md: Other state rules', profile: 'full' },
    async ({ companies }) => {
      const company = await companies.shared();
      const { id: employeeId } = await company.hire();
      const config = { type: 'TransferConfig', employee_ids: [employeeId, company.owner.id] };
      const { id } = await company.number({ incoming_call_config: config });
      for (const enabled of [true, false]) {
        await company.put(`/employees/${employeeId}/do_not_disturb`, { enabled }).gives(200);
        await company.get(`/business_numbers/${id}`).gives(200, { incoming_call_config: config });
      }
    },
  ),
];
