import { type Check, checksOf } from '../check.ts';
import { DAYS, everyDay, numberOf } from './hours.ts';

const { must } = checksOf('business-hours');
const FIELDS = { source: 'service-api.md: Business number', profile: 'full' } as const;
const ROUTING = { source: 'service-api.md: Business numbers', profile: 'full' } as const;
const RESOURCES = { source: 'decisions.md: Resources', profile: 'full' } as const;

export const changeChecks: readonly Check[] = [
  must(1, 'A business number has one entry for each day, from Monday to Sunday.', FIELDS, async ({ companies }) => {
    const company = await companies.shared();
    const { path } = await numberOf(company);
    const days = DAYS.map((day_name, day_of_week) => ({ day_of_week, day_name }));
    await company.get(path).gives(200, { business_hours: days });
  }),

  must(2, 'A new business number is open from Monday to Friday, 9 to 17.', RESOURCES, async ({ companies }) => {
    const company = await companies.shared();
    const { path } = await numberOf(company);
    const workday = { open: true, opening_at: '09:00', closing_at: '17:00' };
    const hours = DAYS.map((_, day_of_week) => (day_of_week < 5 ? workday : { open: false }));
    await company.get(path).gives(200, { business_hours: hours });
  }),

  must(3, 'A whole week is set with the flow outside business hours.', ROUTING, async ({ companies }) => {
    const company = await companies.shared();
    const { path, put } = await numberOf(company);
    const hours = DAYS.map((_, day_of_week) => ({
      day_of_week,
      open: day_of_week !== 2,
      opening_at: `0${day_of_week}:30`,
      closing_at: `1${day_of_week}:45`,
    }));
    const flow = { type: 'RejectConfig', message: 'Closed.' };
    const all = { outside_business_hours_config: flow, business_hours: hours };
    await put(hours, flow).gives(200, all);
    await company.get(path).gives(200, all);
  }),

  must(4, 'Days that are left out keep their hours.', RESOURCES, async ({ companies }) => {
    const company = await companies.shared();
    const { path, before, put } = await numberOf(company);
    const friday = { day_of_week: 4, open: true, opening_at: '10:00', closing_at: '15:30' };
    const expected = before.with(4, { ...before[4], ...friday });
    await put([friday]).gives(200, { business_hours: expected });
    await company.get(path).gives(200, { business_hours: expected });
  }),

  must(5, 'Times that are left out of an entry stay as they are.', RESOURCES, async ({ companies }) => {
    const company = await companies.shared();
    const { before, put } = await numberOf(company);
    await put([{ day_of_week: 0, open: true, opening_at: '08:15', closing_at: '12:45' }]).gives(200);
    const closed = { ...before[0], open: false, opening_at: '08:15', closing_at: '12:45' };
    await put([{ day_of_week: 0, open: false }]).gives(200, { business_hours: before.with(0, closed) });
    const reopened = { ...closed, open: true, closing_at: '13:00' };
    await put([{ day_of_week: 0, open: true, closing_at: '13:00' }]).gives(200, {
      business_hours: before.with(0, reopened),
    });
  }),

  must(6, 'Hours are also set while the flow outside of them is cleared.', RESOURCES, async ({ companies }) => {
    const company = await companies.shared();
    const { path, put } = await numberOf(company);
    await put(everyDay({ open: false }), { type: null }).gives(200);
    await company
      .get(path)
      .gives(200, { outside_business_hours_config: null, business_hours: everyDay({ open: false }) });
  }),

  must(7, 'A flow outside business hours without hours leaves them as they are.', ROUTING, async ({ companies }) => {
    const company = await companies.shared();
    const { path, before, put } = await numberOf(company);
    const late = { day_of_week: 3, open: true, opening_at: '11:00', closing_at: '19:00' };
    await put([late]).gives(200);
    await company
      .put(`${path}/outside_business_hours_config`, { type: 'RejectConfig', message: 'Closed.' })
      .gives(200, { business_hours: before.with(3, { ...before[3], ...late }) });
  }),

  must(8, 'A day may be open until 24:00.', FIELDS, async ({ companies }) => {
    const { put } = await numberOf(await companies.shared());
    const hours = everyDay({ open: true, opening_at: '00:00', closing_at: '24:00' });
    await put(hours).gives(200, { business_hours: hours });
  }),

  must(9, 'The name of a day cannot be written.', FIELDS, async ({ companies }) => {
    const { put } = await numberOf(await companies.shared());
    await put([{ day_of_week: 1, day_name: 'Moonday', open: true }]).gives(200, {
      business_hours: DAYS.map((day_name) => ({ day_name })),
    });
  }),
];
