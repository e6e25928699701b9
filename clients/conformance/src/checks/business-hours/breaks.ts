import { type Check, checksOf } from '../check.ts';
import { isRefusedIn } from '../call-flows/flow.ts';
import { DAYS, numberOf } from './hours.ts';

const { must } = checksOf('business-hours');
const HOURS = { source: 'office.md: Hours', profile: 'full' } as const;

const day = (breaks: unknown) => ({ day_of_week: 0, open: true, opening_at: '09:00', closing_at: '17:00', breaks });

export const breakChecks: readonly Check[] = [
  must(40, 'The days of a new business number have no breaks.', HOURS, async ({ companies }) => {
    const company = await companies.shared();
    const { path } = await numberOf(company);
    await company.get(path).gives(200, { business_hours: DAYS.map(() => ({ breaks: [] })) });
  }),

  must(41, 'A day may have four breaks.', HOURS, async ({ companies }) => {
    const company = await companies.shared();
    const { path, before, put } = await numberOf(company);
    const breaks = ['10', '12', '14', '16'].map((hour) => ({ from: `${hour}:00`, to: `${hour}:15` }));
    const expected = before.with(0, { ...before[0], breaks });
    await put([day(breaks)]).gives(200, { business_hours: expected });
    await company.get(path).gives(200, { business_hours: expected });
  }),

  must(42, 'Five breaks, overlapping ones, and those outside the opening time are refused.', HOURS, async (context) => {
    const { put } = await numberOf(await context.companies.shared());
    const five = ['10', '11', '12', '13', '14'].map((hour) => ({ from: `${hour}:00`, to: `${hour}:15` }));
    const wrong = [
      five,
      [
        { from: '12:00', to: '13:00' },
        { from: '12:30', to: '13:30' },
      ],
      [{ from: '08:00', to: '09:30' }],
      [{ from: '16:30', to: '17:30' }],
      [{ from: '13:00', to: '12:00' }],
    ];
    for (const breaks of wrong) await isRefusedIn(put([day(breaks)]), 'business_hours');
  }),
];
