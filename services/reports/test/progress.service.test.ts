import { timestampMs } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ReportService } from '@parley/proto/reports/v1/reports_pb';
import { waitUntil } from '@parley/testkit';
import { reportCompany } from './report-company.ts';
import { startReports, type TestReports } from './start-reports.ts';

let reports: TestReports;
beforeAll(async () => {
  reports = await startReports();
});
afterAll(() => reports.stop());

it('progress is measured by all replicas when a report is read, however long nobody read one', async () => {
  const { owner } = reportCompany(reports);
  const completeThrough = async (replica: Pick<TestReports, 'as'>) =>
    timestampMs(
      (await replica.as('gateway').client(ReportService).getCallReport({ scope: {} }, owner)).completeThrough!,
    );
  const isCurrent = (replica: Pick<TestReports, 'as'>) => async () => {
    const readAt = Date.now();
    return (await completeThrough(replica)) > readAt - 3100;
  };
  await waitUntil(isCurrent(reports), { what: 'the first measurement' });
  const second = await reports.replica();
  // Each has half of the partitions: one alone cannot know.
  await waitUntil(isCurrent(second), { what: 'a measurement of both', timeoutMs: 30_000 });
  await new Promise((resolve) => setTimeout(resolve, 3500));
  for (const replica of [reports, second]) {
    const readAt = Date.now();
    expect(await completeThrough(replica)).toBeGreaterThan(readAt - 3100);
  }
  await second.stop();
  await waitUntil(isCurrent(reports), { what: 'a measurement of the one that is left', timeoutMs: 30_000 });
});
