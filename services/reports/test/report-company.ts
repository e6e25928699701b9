import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { ReportGroup } from '@parley/proto/reports/v1/reports_pb';
import { waitUntil } from '@parley/testkit';
import { asEmployee } from '@parley/testkit/service';
import type { TestReports } from './start-reports.ts';

/** The days of reports in tests: nearly as many as there can be. */
export const [from, to] = ['2025-10-10', '2026-11-09'];

export const groups = {
  day: ReportGroup.DAY,
  hour: ReportGroup.HOUR,
  weekday: ReportGroup.WEEKDAY,
  hour_of_day: ReportGroup.HOUR_OF_DAY,
  business_number: ReportGroup.BUSINESS_NUMBER,
  employee: ReportGroup.EMPLOYEE,
};

export type GroupName = keyof typeof groups;

/** A company with employees and numbers, and the hours in which something happens there. */
export function reportCompany(reports: TestReports) {
  const { companyId, ownerId } = reports.directory.createCompany();
  const employees = [ownerId, ...[1, 2, 3].map(() => reports.directory.addEmployee({ companyId }).id)];
  const numbers = [1, 2].map(() => reports.numbers.addNumber(companyId).id);
  const owner = asEmployee(companyId, ownerId);
  // Nights in which clocks change in Europe, America and Australia, and any other time.
  const nights = ['2025-10-26', '2026-03-08', '2026-03-29', '2026-04-04', '2026-10-25', '2026-11-01'].flatMap((date) =>
    [0, 1, 2, 5, 6, 14, 15].map((hour) => Date.parse(`${date}T00:00:00Z`) + hour * 3_600_000),
  );
  const [first, last] = [Date.parse(from), Date.parse(`${to}T20:00:00Z`)];
  const others = Array.from(
    { length: 80 },
    (_, i) => first + Math.floor(((i + 0.5) / 80) * ((last - first) / 3_600_000)) * 3_600_000,
  );
  const hours = [...nights, ...others];
  const span = { companyId, numbers, employees, hours };
  return { companyId, ownerId, employees, numbers, owner, span };
}

export type ReportCompany = ReturnType<typeof reportCompany>;

export const plain = (figures: object | undefined) =>
  Object.fromEntries(
    Object.entries(figures ?? {})
      .filter(([name]) => !name.startsWith('$'))
      .map(([name, value]) => [name, Number(value)]),
  );

/** Waits until everything that was published before is counted. */
export const untilCounted = (
  read: () => Promise<{ readonly completeThrough?: Timestamp | undefined }>,
  publishedMs: number,
) =>
  waitUntil(
    async () => {
      const { completeThrough } = await read();
      return completeThrough !== undefined && timestampDate(completeThrough).getTime() >= publishedMs;
    },
    { what: 'everything to be counted', timeoutMs: 160_000 },
  );
