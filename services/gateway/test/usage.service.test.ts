import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { invalid, Refused } from '@parley/errors';
import { CompanyAdminService } from '@parley/proto/directory/v1/companies_pb';
import { ReportAdminService } from '@parley/proto/reports/v1/reports_pb';
import { fakeContract } from '@parley/testkit/service';
import { OPERATOR_TOKEN, startGateway, type TestGateway } from './start-gateway.ts';

const PAGES = 3;

let gateway: TestGateway;
beforeAll(async () => {
  const companies = fakeContract(CompanyAdminService, {
    async listCompanies({ cursor }) {
      const page = Number(cursor || 1);
      return { companies: [{ id: `com_${page}` }], nextCursor: page < PAGES ? String(page + 1) : '' };
    },
  });
  const reports = fakeContract(ReportAdminService, {
    async listUsage({ month, companyIds }) {
      if (month !== '2026-11') throw new Refused(invalid({ month: ['must be a month such as 2026-11'] }));
      return {
        usage: companyIds.map((companyId) => ({
          companyId,
          minutesIn: 61n,
          assistantMinutes: 3n,
          textsOut: 2n ** 40n,
          numbers: 1n,
        })),
      };
    },
  });
  gateway = await startGateway({}, {}, { directory: [companies], reports: [reports] });
});
afterAll(() => gateway?.stop());

const get = (query: string, token = OPERATOR_TOKEN) =>
  fetch(`${gateway.operatorUrl}/operator/v1/usage${query}`, { headers: { Authorization: `Bearer ${token}` } });

it('the operator lists the usage of every company, page by page', async () => {
  const response = await get('?month=2026-11');
  expect(response.status).toBe(200);
  const { usage } = (await response.json()) as { usage: object[] };
  expect(usage).toHaveLength(PAGES);
  expect(usage[2]).toEqual({
    company_id: 'com_3',
    minutes_in: 61,
    minutes_out: 0,
    texts_in: 0,
    texts_out: 2 ** 40,
    recordings_bytes: 0,
    numbers: 1,
    employees: 0,
    assistant_minutes: 3,
    assistant_tokens: 0,
  });
});

it('the usage is refused for what is no month, and to who is no operator', async () => {
  expect((await get('?month=2026-1')).status).toBe(422);
  expect((await get('')).status).toBe(422);
  expect((await get('?month=2026-11', 'wrong')).status).toBe(401);
});
