import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ReportGroup, ReportService } from '@parley/proto/reports/v1/reports_pb';
import { fakeContract } from '@parley/testkit/service';
import { ANES_KEY, startGateway, type TestGateway } from './start-gateway.ts';

const AT = timestampFromDate(new Date('2030-01-02T03:04:05Z'));

let gateway: TestGateway;
/** What was asked for: the group and the days. */
const asked: [ReportGroup, from: string, to: string][] = [];
const reports = fakeContract(ReportService, {
  getReportPeriod: async ({ from, to }) => ({ from, to: to || '2026-12-31', beginsAt: AT, endsAt: AT }),
  async getCallReport({ scope }) {
    const { groupBy, from, to } = scope!;
    asked.push([groupBy, from, to]);
    const figures = { total: groupBy === ReportGroup.HOUR ? 1n : 7n };
    return { rows: [{ key: `${from} ${to}`, figures }], totals: figures, completeThrough: AT };
  },
  getMessageReport: async () => ({ rows: [], totals: {}, completeThrough: AT }),
});
beforeAll(async () => {
  gateway = await startGateway({}, {}, { reports: [reports] });
});
afterAll(() => gateway?.stop());

async function report(query: string) {
  asked.length = 0;
  const response = await fetch(`${gateway.url}/api/v1/reports/calls?${query}`, { headers: { 'X-Api-Key': ANES_KEY } });
  return (await response.json()) as { rows: { key: string; total: number }[]; totals: { total: number } };
}

it('the hours of a long period are read in parts, and its totals once', async () => {
  const { rows, totals } = await report('from=2026-01-01&group_by=hour');
  const days = asked.slice(1).map(([, from, to]) => [from, to]);
  expect(asked[0]).toEqual([ReportGroup.DAY, '2026-01-01', '']);
  expect([days.length, days[0], days[1], days.at(-1)]).toEqual([
    7,
    ['2026-01-01', '2026-03-01'],
    ['2026-03-02', '2026-04-30'],
    ['2026-12-27', '2026-12-31'],
  ]);
  expect([rows.map(({ key }) => key), totals.total]).toEqual([days.map((part) => part.join(' ')), 7]);
});

it('reports other than the hours of a long period are read at once', async () => {
  await report('group_by=hour');
  expect(asked).toEqual([[ReportGroup.HOUR, '', '']]);
  await report('from=2026-01-01&to=2026-12-31&group_by=day');
  expect(asked).toEqual([[ReportGroup.DAY, '2026-01-01', '2026-12-31']]);
});
