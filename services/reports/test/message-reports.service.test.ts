import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parley/secrets';
import { ReportAdminService, ReportService } from '@parley/proto/reports/v1/reports_pb';
import { waitUntil } from '@parley/testkit';
import { asEmployee, asOperator, withRole } from '@parley/testkit/service';
import { endedMessage, type FinishedCall, publishCall, randomCall, seededRandom, talkSecs } from './random-calls.ts';
import {
  figures,
  type FinishedText,
  publishText,
  randomText,
  recomputeMessages,
  textMessage,
} from './random-messages.ts';
import {
  from,
  type GroupName,
  groups,
  plain,
  reportCompany,
  type ReportCompany,
  to,
  untilCounted,
} from './report-company.ts';
import { startReports, type TestReports } from './start-reports.ts';

let reports: TestReports;
beforeAll(async () => {
  reports = await startReports();
});
afterAll(() => reports.stop());

const report = (as: ReturnType<typeof asEmployee>, scope: object = {}) =>
  reports
    .as('gateway')
    .client(ReportService)
    .getMessageReport({ scope: { from, to, ...scope } }, as);

/** Texts and calls with a few people, in no order of time. */
function happened(own: ReportCompany, seed: number, count: number) {
  const random = seededRandom(seed);
  const phones = Array.from({ length: count / 12 }, (_, n) => `+45201000${String(n).padStart(2, '0')}`);
  const among = { ...own.span, phones };
  const texts = Array.from({ length: count }, () => randomText(random, newId('msg'), among));
  const calls = Array.from({ length: count / 4 }, () => ({
    ...randomCall(random, newId('call'), own.span),
    phone: phones[Math.floor(random() * phones.length)] ?? '',
  }));
  return { texts, calls };
}

interface Filter {
  readonly number?: string;
  readonly employee?: string;
  readonly from?: string;
  readonly to?: string;
}

async function expectEqual(
  own: ReportCompany,
  { texts, calls }: { texts: readonly FinishedText[]; calls: readonly FinishedCall[] },
  groupBy: GroupName,
  timezone: string,
  filter: Filter = {},
) {
  const days = { from: filter.from ?? from, to: filter.to ?? to };
  const ids = { businessNumberId: filter.number ?? '', employeeId: filter.employee ?? '' };
  const found = await report(own.owner, { ...days, timezone, groupBy: groups[groupBy], ...ids });
  const expected = recomputeMessages(texts, calls, groupBy, timezone, { ...filter, ...days });
  const rows = new Map(found.rows.map(({ key, figures: shown }) => [key, plain(shown)]));
  const isWanted = (key: string) => groupBy !== 'employee' || !filter.employee || key === filter.employee;
  for (const key of expected.rows.keys()) if (isWanted(key)) expect([...rows.keys()]).toContain(key);
  for (const [key, shown] of rows)
    expect({ groupBy, timezone, key, ...shown }).toEqual({
      groupBy,
      timezone,
      key,
      ...(expected.rows.get(key) ?? figures([], [])),
    });
  expect({ groupBy, timezone, ...plain(found.totals) }).toEqual({ groupBy, timezone, ...expected.totals });
}

const names = Object.keys(groups) as GroupName[];

describe('reports of texts', () => {
  it('reports of texts equal a recomputation over changes of the clocks, with events twice, in no order and by two replicas', async () => {
    const own = reportCompany(reports);
    const all = happened(own, 7, 240);
    const second = await reports.replica();
    const publish = (some: readonly FinishedText[]) =>
      Promise.all(some.map((text) => publishText(reports.publish, text)));
    await publish(all.texts.slice(0, 100));
    await Promise.all(all.calls.map((call) => publishCall(reports.publish, call)));
    await second.stop();
    await publish(all.texts.slice(100));
    for (const text of all.texts.slice(0, 20)) {
      const about = { companyId: own.companyId, aggregateId: text.id, aggregateSequence: 1 };
      const type = text.isInbound ? 'messaging-inbox.message.received' : 'messaging-inbox.message.created';
      await reports.publish(type, { message: textMessage(text) }, about);
    }
    await untilCounted(() => report(own.owner), Date.now());
    for (const zone of ['Europe/Copenhagen', 'Asia/Kathmandu', 'Australia/Lord_Howe'])
      for (const groupBy of names) await expectEqual(own, all, groupBy, zone);
    const zone = 'Europe/Copenhagen';
    const [number = ''] = own.numbers;
    const [, employee = ''] = own.employees;
    for (const groupBy of names) {
      await expectEqual(own, all, groupBy, zone, { number });
      await expectEqual(own, all, groupBy, zone, { employee });
      await expectEqual(own, all, groupBy, zone, { number, employee, from: '2025-10-26', to: '2026-03-29' });
      await expectEqual(own, all, groupBy, zone, { from: '2026-01-20', to: '2026-02-10' });
      await expectEqual(own, all, groupBy, zone, { from: '2026-10-25', to: '2026-10-25' });
    }
  }, 180_000);

  it('reports of texts have what happened before the service existed, and the same after a rebuild', async () => {
    const own = reportCompany(reports);
    const { texts, calls } = happened(own, 11, 60);
    reports.ownedCalls.push(...(calls.map(endedMessage) as object[]));
    const [later, ...before] = texts as [FinishedText, ...FinishedText[]];
    reports.ownedMessages.push(...(before.map((text) => textMessage(text)) as object[]));
    await expectEqual(own, { texts: before, calls }, 'weekday', 'Europe/Copenhagen');
    reports.ownedMessages.push(textMessage(later) as object);
    await reports.as('gateway').client(ReportAdminService).startReportRebuild({ companyId: own.companyId }, asOperator);
    const count = async () => {
      const { totals } = await report(own.owner);
      return Number(totals?.sent) + Number(totals?.received);
    };
    await waitUntil(async () => (await count()) === texts.length, { what: 'the rebuild' });
    await expectEqual(own, { texts, calls }, 'employee', 'Europe/Copenhagen');
  });

  it('reports of texts say what a company used in a month, by UTC: minutes of each call and parts of texts', async () => {
    const own = reportCompany(reports);
    const { texts, calls } = happened(own, 17, 96);
    reports.ownedCalls.push(...(calls.map(endedMessage) as object[]));
    reports.ownedMessages.push(...(texts.map((text) => textMessage(text)) as object[]));
    const admin = reports.as('gateway').client(ReportAdminService);
    const used = (month: string) => admin.listUsage({ month, companyIds: [own.companyId] }, asOperator);
    const minutes = (some: readonly FinishedCall[]) =>
      some.reduce((sum, call) => sum + Math.ceil(talkSecs(call) / 60), 0);
    const parts = (some: readonly FinishedText[]) => some.reduce((sum, text) => sum + text.parts, 0);
    for (const month of ['2025-10', '2026-03', '2024-02']) {
      const isIn = (ms: number) => new Date(ms).toISOString().startsWith(month);
      const [ownCalls, ownTexts] = [
        calls.filter(({ startedMs }) => isIn(startedMs)),
        texts.filter(({ atMs }) => isIn(atMs)),
      ];
      const [first, next] = [Date.parse(`${month}-01`), new Date(`${month}-01`)];
      next.setUTCMonth(next.getUTCMonth() + 1);
      const { usage } = await used(month);
      expect(usage).toHaveLength(1);
      expect(usage[0]?.companyId).toBe(own.companyId);
      const { companyId: _, ...figuresOfMonth } = usage[0]!;
      expect(plain(figuresOfMonth)).toEqual({
        minutesIn: minutes(ownCalls.filter(({ isInbound }) => isInbound)),
        minutesOut: minutes(ownCalls.filter(({ isInbound }) => !isInbound)),
        textsIn: parts(ownTexts.filter(({ isInbound }) => isInbound)),
        textsOut: parts(ownTexts.filter(({ isInbound }) => !isInbound)),
        recordingsBytes: next.getTime() - first,
        numbers: 2,
        employees: 4,
        assistantMinutes: 2,
        assistantTokens: Number(month.slice(-2)),
      });
    }
    await expect(used('2026-13')).rejects.toThrow('month must be a month');
  });

  it('reports of texts show members their own row and the totals only, and store no phone number', async () => {
    const own = reportCompany(reports);
    const { texts } = happened(own, 3, 48);
    reports.ownedMessages.push(...(texts.map((text) => textMessage(text)) as object[]));
    const [, id = ''] = own.employees;
    const member = withRole(asEmployee(own.companyId, id), 'member');
    const found = await report(member);
    expect(found.rows.map(({ key }) => key)).toEqual([id]);
    expect(Number(found.totals?.sent)).toBe(texts.filter(({ isInbound }) => !isInbound).length);
    await expect(report(member, { groupBy: groups.day })).rejects.toThrow('forbidden');
    const stored = await reports.db.collection('facts').find({ companyId: own.companyId }).toArray();
    expect(stored.length).toBe(texts.length);
    expect(JSON.stringify(stored)).not.toContain('45201000');
  });
});
