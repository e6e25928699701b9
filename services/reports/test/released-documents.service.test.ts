import { AuditEventService } from '@parley/proto/reports/v1/audit_events_pb';
import { ReportGroup, ReportService } from '@parley/proto/reports/v1/reports_pb';
import { asEmployee } from '@parley/testkit/service';
import { missingFields, RELEASE_KEY, RELEASE_WRITES, releaseDocuments, restoreRelease } from '@parley/testkit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startReports, type TestReports } from './start-reports.ts';

const released = releaseDocuments('reports');
const [totals] = released['company_totals'] ?? [];
const companyId = String(totals?.companyId);
const owner = asEmployee(companyId);

const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

let reports: TestReports;
beforeAll(async () => {
  reports = await startReports({ ENCRYPTION_KEY: RELEASE_KEY });
  reports.directory.createCompany({ companyId });
});
afterAll(() => reports?.stop());

/** 0.3.0 has another form of the totals of a company: what it stores while both versions run is not read, and not the other way round. */
const [[moment, when]] = RELEASE_WRITES;
const OTHER_FORM = ['changed', 'revision', 'addingRun'].map((field) => `company_totals ${field}`);

describe(`totals that the last release stored ${moment}`, () => {
  beforeAll(async () => {
    await reports.stopService();
    await restoreRelease(reports.db, released, when);
    await reports.restart();
  });

  it('totals that the last release stored are read with the audit log, and keep every other field that the release reads', async () => {
    const gateway = reports.as('gateway');
    const report = await gateway
      .client(ReportService)
      .getCallReport({ scope: { from: day(-1), to: day(0), groupBy: ReportGroup.DAY } }, owner);
    expect(report.rows).not.toEqual([]);
    const { auditEvents } = await gateway.client(AuditEventService).listAuditEvents({ limit: 50 }, owner);
    expect(auditEvents).not.toEqual([]);
    const missing = await missingFields(reports.db, released);
    expect(missing.filter((field) => !OTHER_FORM.includes(field))).toEqual([]);
  });
});
