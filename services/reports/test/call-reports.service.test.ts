import { timestampDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parley/secrets';
import { ReportAdminService, ReportDirection, ReportGroup, ReportService } from '@parley/proto/reports/v1/reports_pb';
import { waitUntil } from '@parley/testkit';
import { asEmployee, asOperator, withRole } from '@parley/testkit/service';
import { endedMessage, type FinishedCall, publishCall, randomCall, seededRandom } from './random-calls.ts';
import { keysOf, recompute } from './recomputation.ts';
import { from, groups, plain, reportCompany, to, untilCounted } from './report-company.ts';
import { startReports, type TestReports } from './start-reports.ts';

let reports: TestReports;
beforeAll(async () => {
  reports = await startReports();
});
afterAll(() => reports.stop());

const company = () => reportCompany(reports);

type Scope = Partial<Record<'from' | 'to' | 'timezone' | 'businessNumberId' | 'employeeId', string>>;
const report = async (
  as: ReturnType<typeof asEmployee>,
  scope: Scope & { groupBy?: ReportGroup },
  direction = ReportDirection.UNSPECIFIED,
  replica = reports.as('gateway'),
) => replica.client(ReportService).getCallReport({ scope: { from, to, ...scope }, direction }, as);

const countedThrough = (owner: ReturnType<typeof asEmployee>, publishedMs: number) =>
  untilCounted(() => report(owner, {}), publishedMs);

/** Every row and the totals, compared with all calls. */
async function expectEqual(
  { owner, numbers, employees }: ReturnType<typeof company>,
  calls: readonly FinishedCall[],
  groupBy: keyof typeof groups,
  zone: string,
  filter: { number?: string; employee?: string; direction?: ReportDirection; from?: string; to?: string } = {},
) {
  const [first, last] = [filter.from ?? from, filter.to ?? to];
  const scope = {
    from: first,
    to: last,
    timezone: zone,
    groupBy: groups[groupBy],
    businessNumberId: filter.number ?? '',
    employeeId: filter.employee ?? '',
  };
  const found = await report(owner, scope, filter.direction);
  const inRange = calls.filter((call) => {
    const [date = ''] = keysOf(call, 'day', zone);
    if (date < first || date > last) return false;
    if (filter.number && call.number !== filter.number) return false;
    if (filter.employee && !call.employees.includes(filter.employee)) return false;
    return !filter.direction || call.isInbound === (filter.direction === ReportDirection.INBOUND);
  });
  const expected = new Map<string, FinishedCall[]>();
  for (const call of inRange)
    for (const key of keysOf(call, groupBy, zone)) expected.set(key, [...(expected.get(key) ?? []), call]);
  if (groupBy === 'employee' && filter.employee)
    for (const key of expected.keys()) if (key !== filter.employee) expected.delete(key);
  const rows = new Map(found.rows.map(({ key, figures }) => [key, plain(figures)]));
  for (const key of expected.keys()) expect(rows.has(key)).toBe(true);
  for (const [key, figures] of rows)
    expect({ key, ...figures }).toEqual({ key, ...recompute(expected.get(key) ?? []) });
  expect(plain(found.totals)).toEqual(recompute(inRange));
  if (groupBy === 'weekday') expect(rows.size).toBe(7);
  if (groupBy === 'hour_of_day') expect(rows.size).toBe(24);
  if (groupBy === 'business_number' && !filter.number) expect([...rows.keys()]).toEqual(numbers);
  if (groupBy === 'employee' && !filter.employee) expect([...rows.keys()]).toEqual(employees);
}

describe('reports of calls', () => {
  it('reports of calls equal a recomputation over two changes of the clocks, with two replicas of which one ends in between', async () => {
    const own = company();
    const random = seededRandom(7);
    const calls = Array.from({ length: 1000 }, () => randomCall(random, newId('call'), own.span));
    const second = await reports.replica();
    const publish = (some: readonly FinishedCall[]) =>
      Promise.all(some.map((call) => publishCall(reports.publish, call)));
    await publish(calls.slice(0, 450));
    await second.stop();
    await publish(calls.slice(450));
    // Events may come twice.
    const about = (call: FinishedCall) => ({ companyId: own.companyId, aggregateId: call.id, aggregateSequence: 1 });
    for (const call of calls.slice(0, 20))
      await reports.publish('call-control.call.initiated', { call: endedMessage(call) }, about(call));
    await countedThrough(own.owner, Date.now());
    for (const zone of ['Europe/Copenhagen', 'Asia/Kathmandu', 'Australia/Lord_Howe'])
      for (const groupBy of Object.keys(groups) as (keyof typeof groups)[])
        await expectEqual(own, calls, groupBy, zone);
    const zone = 'Europe/Copenhagen';
    const [number = ''] = own.numbers;
    const [, employee = ''] = own.employees;
    for (const groupBy of Object.keys(groups) as (keyof typeof groups)[]) {
      await expectEqual(own, calls, groupBy, zone, { number });
      await expectEqual(own, calls, groupBy, zone, { employee, direction: ReportDirection.INBOUND });
      await expectEqual(own, calls, groupBy, zone, { number, employee, from: '2025-10-26', to: '2026-03-29' });
      await expectEqual(own, calls, groupBy, zone, {
        direction: ReportDirection.OUTBOUND,
        from: '2026-01-20',
        to: '2026-02-10',
      });
    }
  }, 180_000);

  it('reports of calls have what happened before the service existed, and the same after a rebuild', async () => {
    const own = company();
    const random = seededRandom(11);
    const calls = Array.from({ length: 60 }, () => randomCall(random, newId('call'), own.span));
    reports.ownedCalls.push(...(calls.map(endedMessage) as object[]));
    await expectEqual(own, calls, 'day', 'Europe/Copenhagen');
    const more = randomCall(random, newId('call'), own.span);
    reports.ownedCalls.push(endedMessage(more) as object);
    await reports.as('gateway').client(ReportAdminService).startReportRebuild({ companyId: own.companyId }, asOperator);
    await waitUntil(async () => Number((await report(own.owner, {})).totals?.total) === 61, { what: 'the rebuild' });
    await expectEqual(own, [...calls, more], 'employee', 'Europe/Copenhagen');
  });

  it('reports of calls have rows of zeros for a company without calls, and a time up to which everything is counted', async () => {
    const own = company();
    const days = await report(own.owner, { from: '2026-10-25', to: '2026-10-26', groupBy: ReportGroup.HOUR });
    expect(days.rows).toHaveLength(49);
    expect(days.rows.every(({ figures }) => figures?.total === 0n && figures.waitSecsAvg === 0)).toBe(true);
    await countedThrough(own.owner, Date.now() - 1);
  });

  it('reports of calls do not count a voicemail that was withdrawn, also after a rebuild', async () => {
    const own = company();
    const random = seededRandom(5);
    const left = Array.from({ length: 200 }, () => randomCall(random, newId('call'), own.span)).filter(
      ({ hasVoicemail }) => hasVoicemail,
    );
    const [withdrawn, ...others] = left as [FinishedCall, ...FinishedCall[]];
    for (const call of left) await publishCall(reports.publish, call);
    const without = { ...withdrawn, hasVoicemail: false };
    const about = { companyId: own.companyId, aggregateId: withdrawn.id };
    await reports.publish('call-control.call.lost', { call: endedMessage(without) }, about);
    reports.ownedCalls.push(...([...others, without].map(endedMessage) as object[]));
    await countedThrough(own.owner, Date.now());
    await expectEqual(own, [...others, without], 'business_number', 'Europe/Copenhagen');
    await reports.as('gateway').client(ReportAdminService).startReportRebuild({ companyId: own.companyId }, asOperator);
    await expectEqual(own, [...others, without], 'business_number', 'Europe/Copenhagen');
  });

  it('reports of calls are refused in more new time zones than twenty in an hour, and those of the company never', async () => {
    const own = company();
    const zones = Intl.supportedValuesOf('timeZone').filter((zone) => zone.startsWith('America/'));
    for (const timezone of zones.slice(0, 20)) await report(own.owner, { timezone });
    await expect(report(own.owner, { timezone: zones[20] ?? '' })).rejects.toThrow('rate_limited');
    await expect(report(own.owner, { timezone: zones[19] ?? '' })).resolves.toBeDefined();
    await expect(report(own.owner, {})).resolves.toBeDefined();
  }, 120_000);

  it('reports of calls show members their own row and the totals only', async () => {
    const own = company();
    const random = seededRandom(3);
    const calls = Array.from({ length: 40 }, () => randomCall(random, newId('call'), own.span));
    reports.ownedCalls.push(...(calls.map(endedMessage) as object[]));
    const [, id = '', other = ''] = own.employees;
    const member = withRole(asEmployee(own.companyId, id), 'member');
    const found = await report(member, { groupBy: ReportGroup.EMPLOYEE });
    expect(found.rows.map(({ key }) => key)).toEqual([id]);
    expect(Number(found.totals?.total)).toBe(40);
    await expect(report(member, { groupBy: ReportGroup.DAY })).rejects.toThrow('forbidden');
    await expect(report(member, { groupBy: ReportGroup.EMPLOYEE, employeeId: other })).rejects.toThrow('forbidden');
    const ownDays = await report(member, { groupBy: ReportGroup.DAY, employeeId: id });
    expect(ownDays.totals?.total).toBe(found.rows[0]?.figures?.total);
    expect((await report(member, {})).rows.map(({ key }) => key)).toEqual([id]);
    await expect(report(withRole(member, 'admin'), { groupBy: ReportGroup.DAY })).resolves.toBeDefined();
    const foreign = await report(company().owner, { businessNumberId: own.numbers[0] ?? '' });
    expect(foreign.totals?.total).toBe(0n);
  });

  it('reports of calls read days in a time zone, by default that of the first number', async () => {
    const own = company();
    const period = async (request: Partial<Record<'from' | 'to' | 'timezone', string>>) => {
      const found = await reports.as('gateway').client(ReportService).getReportPeriod(request, own.owner);
      const at = [found.beginsAt!, found.endsAt!].map((time) => timestampDate(time).toISOString());
      return [found.from, found.to, ...at];
    };
    const days = { from: '2026-10-24', to: '2026-10-25' };
    expect(await period({ ...days, timezone: 'Europe/Copenhagen' })).toEqual([
      '2026-10-24',
      '2026-10-25',
      '2026-10-23T22:00:00.000Z',
      '2026-10-25T23:00:00.000Z',
    ]);
    expect((await period({ to: '2026-10-25' })).slice(0, 2)).toEqual(['2026-09-26', '2026-10-25']);
    await expect(period({ ...days, timezone: 'Europe/Atlantis' })).rejects.toThrow('timezone is not a time zone');
  });

  it.each<[string, Scope, string]>([
    ['no date', { from: '2026-02-30' }, 'from is not a date'],
    ['a date of another calendar', { to: '9999-01-01' }, 'to is not a date'],
    ['an end before the begin', { from: '2026-02-02', to: '2026-02-01' }, 'to must not be before from'],
    ['too many days', { from: '2025-01-01', to: '2026-02-05' }, 'to must be at most 400 days after from'],
    ['an unknown time zone', { timezone: 'Europe/Atlantis' }, 'timezone is not a time zone'],
  ])('reports of calls refuse %s', async (_, scope, problem) => {
    await expect(report(company().owner, scope)).rejects.toThrow(problem);
  });
});
