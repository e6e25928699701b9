import { expect, expectThat } from '../../expectations/expect.ts';
import { timestamp } from '../../expectations/shapes.ts';
import { type Check, checksOf } from '../check.ts';
import { NO_CALLS, NO_MESSAGES, REPORTS } from './report.ts';

const { must } = checksOf('reports');
const API = { ...REPORTS, profile: 'api' } as const;
const DAYS_MAX = 400;
const DAY_MS = 86_400_000;
const KINDS = ['calls', 'messages'] as const;
const keysOf = ({ rows }: any): unknown[] => rows.map(({ key }: { key: unknown }) => key);
const dayBefore = (day: string, count: number) => new Date(Date.parse(day) - count * DAY_MS).toISOString().slice(0, 10);

export const groupChecks: readonly Check[] = [
  must(
    1,
    'A report of three days has a row for each, with zeros where nothing happened.',
    REPORTS,
    async ({ companies }) => {
      const company = await companies.shared();
      const average = { wait_secs_avg: 0, wait_secs_p90: 0, talk_secs_avg: 0 };
      const days = ['2026-01-30', '2026-01-31', '2026-02-01'];
      const query = 'from=2026-01-30&to=2026-02-01&group_by=day';
      await company.get(`/reports/calls?${query}`).gives(200, {
        rows: days.map((key) => ({ key, ...NO_CALLS, ...average })),
        totals: { ...NO_CALLS, ...average },
        complete_through: timestamp,
      });
      const response = { first_response_secs_p50: 0, first_response_secs_p90: 0 };
      await company.get(`/reports/messages?${query}`).gives(200, {
        rows: days.map((key) => ({ key, ...NO_MESSAGES, ...response })),
        totals: { ...NO_MESSAGES, ...response },
        complete_through: timestamp,
      });
    },
  ),

  must(
    2,
    'A report is one of the last 30 days, by day, unless another one is asked for.',
    API,
    async ({ companies }) => {
      const company = await companies.shared();
      for (const kind of KINDS) {
        const keys = keysOf(await company.get(`/reports/${kind}`).gives(200)) as string[];
        expect(keys.length, 30, `the number of rows of ${kind}`);
        const last = keys.at(-1)!;
        expect(
          keys,
          keys.map((_, index) => dayBefore(last, 29 - index)),
          `the keys of ${kind}`,
        );
      }
    },
  ),

  must(3, 'A report by weekday has seven rows, one by the hour of the day 24.', API, async ({ companies }) => {
    const company = await companies.shared();
    for (const kind of KINDS)
      for (const [group, count] of [
        ['weekday', 7],
        ['hour_of_day', 24],
      ] as const) {
        const keys = keysOf(await company.get(`/reports/${kind}?group_by=${group}`).gives(200));
        const expected = Array.from({ length: count }, (_, index) => String(index));
        expect(keys.map(String), expected, `the keys of ${kind} by ${group}`);
      }
  }),

  must(4, 'A day has 23 or 25 hours when the clocks change, each with its offset.', API, async ({ companies }) => {
    const company = await companies.shared();
    for (const [day, zone, hours, first, last] of [
      ['2026-03-29', 'Europe/Copenhagen', 23, '+01:00', '+02:00'],
      ['2025-10-26', 'Europe/Copenhagen', 25, '+02:00', '+01:00'],
      ['2026-03-08', 'America/New_York', 23, '-05:00', '-04:00'],
      ['2026-02-02', 'Asia/Kolkata', 24, '+05:30', '+05:30'],
    ] as const) {
      const query = `from=${day}&to=${day}&group_by=hour&timezone=${zone}`;
      const keys = keysOf(await company.get(`/reports/calls?${query}`).gives(200)) as string[];
      expect(keys.length, hours, `the number of hours of ${day}`);
      expectThat(
        keys[0]!.startsWith(`${day}T00:00`) && keys[0]!.endsWith(first) && keys.at(-1)!.endsWith(last),
        `the hours of ${day} are ${keys[0]} to ${keys.at(-1)}`,
      );
      const times = keys.map((key) => Date.parse(key));
      expect(
        times,
        times.map((_, index) => times[0]! + index * 3_600_000),
        `the hours of ${day}`,
      );
    }
  }),

  must(5, 'A report by business number has a row for each of them.', REPORTS, async ({ companies }) => {
    const company = await companies.fresh();
    const [first, second] = [await company.number(), await company.number()];
    for (const kind of KINDS) {
      const report = await company.get(`/reports/${kind}?group_by=business_number`).gives(200);
      expect(keysOf(report).toSorted(), [first.id, second.id].toSorted(), `the keys of ${kind}`);
    }
  }),

  must(6, 'A report has at most 400 days.', API, async ({ companies }) => {
    const company = await companies.shared();
    const to = '2026-06-30';
    for (const kind of KINDS) {
      const report = await company.get(`/reports/${kind}?from=${dayBefore(to, DAYS_MAX - 1)}&to=${to}`).gives(200);
      expect(report.rows.length, DAYS_MAX, `the number of rows of ${kind}`);
      await company.get(`/reports/${kind}?from=${dayBefore(to, DAYS_MAX)}&to=${to}`).isRefused(422);
    }
  }),

  must(7, 'What no report can be made of is refused.', API, async ({ companies }) => {
    const company = await companies.shared();
    const wrong = [
      'from=2026-02-03&to=2026-02-01',
      'from=yesterday',
      'to=2026-02-30',
      'group_by=colour',
      'timezone=Mars/Olympus',
    ];
    for (const kind of KINDS) for (const query of wrong) await company.get(`/reports/${kind}?${query}`).isRefused(422);
    await company.get('/reports/calls?direction=sideways').isRefused(422);
  }),

  must(8, 'Reports need a credential.', { ...API, source: 'service-api.md: API keys' }, async ({ companies }) => {
    const nobody = (await companies.shared()).withHeaders({});
    for (const path of ['/reports/calls', '/reports/messages', '/reports/live', '/calls/export.csv'])
      await nobody.get(path).isRefused(401);
  }),

  must(
    9,
    'A report says up to when everything is counted, which is a moment ago.',
    API,
    async ({ companies, clock, target }) => {
      const company = await companies.shared();
      const now = target.sandboxUrl === undefined ? Date.now() : (await clock.now()).getTime();
      const { complete_through: at } = await company.get('/reports/calls').gives(200, { complete_through: timestamp });
      expectThat(
        Math.abs(now - Date.parse(at)) < 60_000,
        `complete_through is ${at} at ${new Date(now).toISOString()}`,
      );
    },
  ),
];
