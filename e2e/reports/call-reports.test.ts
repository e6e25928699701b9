import { beforeAll, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit';
import { type Employee, openPhoneCompany, type PhoneCompany } from '../calls/phone-company.ts';
import { operate, sharedStack } from '../support/api.ts';

let fixture: PhoneCompany;
let ada: Employee;
let number: string;

beforeAll(async () => {
  fixture = await openPhoneCompany();
  ada = await fixture.hire('Ada', true);
  number = await fixture.number({ type: 'TransferConfig', employee_ids: [ada.id] });
  await fixture.status(ada, 'available');
});

const report = async (query: string) => (await fixture.company.call('GET', `/reports/calls?${query}`)).body;

it('reports count an answered and an abandoned call within seconds, and again after a rebuild', async () => {
  const talked = await fixture.talk(number, ada);
  await fixture.over(talked);
  await fixture.waitUntilIdle(ada);
  const legId = await fixture.dial(number, '+4520304051');
  const callId = await fixture.callOf(legId);
  await fixture.rings(ada);
  await fixture.hangUp(legId);
  await fixture.state(callId, 'ended');
  const counted = () =>
    waitUntil(
      async () => {
        const { totals } = await report('group_by=employee');
        return totals.abandoned === 1 && totals.answered === 1 ? totals : undefined;
      },
      { what: 'both calls to be counted', timeoutMs: 30_000 },
    );
  expect(await counted()).toMatchObject({ total: 2, inbound: 2, outbound: 0, missed: 1, voicemails: 0 });
  const { rows, complete_through } = await report('group_by=employee');
  expect(rows.find(({ key }: { key: string }) => key === ada.id)).toMatchObject({ total: 1, answered: 1, missed: 0 });
  expect(Date.parse(complete_through)).not.toBeNaN();
  expect((await report(`group_by=business_number&business_number_id=${fixture.numberId(number)}`)).rows).toMatchObject([
    { key: fixture.numberId(number), total: 2 },
  ]);
  const weekdays = (await report('group_by=weekday&timezone=Asia/Kathmandu')).rows;
  expect(weekdays.map(({ key }: { key: number }) => key)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect((await report('')).rows).toHaveLength(30);

  const { status, text } = await fixture.company.call('GET', `/calls/export.csv?employee_id=${ada.id}`);
  expect(status).toBe(200);
  const [, ...lines] = text.trimEnd().split('\r\n');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(`,${ada.id},Ada,answered,`);
  expect((await fixture.company.call('GET', '/calls/export.csv')).text).toMatch(/,,,abandoned,\d+,,0,false\r\n/);

  const rebuild = `/companies/${fixture.company.id}/report_rebuild`;
  expect((await operate(sharedStack(), 'POST', rebuild)).status).toBe(202);
  expect((await operate(sharedStack(), 'POST', '/companies/com_unknown/report_rebuild')).status).toBe(404);
  expect(await counted()).toMatchObject({ total: 2, missed: 1 });
});

it('reports refuse what they do not know', async () => {
  for (const query of [
    'group_by=moon',
    'from=yesterday',
    'timezone=Mars/Base',
    'from=2024-01-01&to=2026-01-01',
    'direction=up',
  ])
    expect((await fixture.company.call('GET', `/reports/calls?${query}`)).status).toBe(422);
});
