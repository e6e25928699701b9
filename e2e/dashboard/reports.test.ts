import { beforeAll, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import type { Page } from 'playwright-core';
import { type Employee, LIMIT_MS, openPhoneCompany } from '../calls/phone-company.ts';
import { PASSWORD } from '../identity/people.ts';
import { operate, sharedStack, succeeded } from '../support/api.ts';
import {
  dashboardBrowser,
  describeInBrowser,
  expectAccessible,
  expectNoInjection,
  expectNoSidewaysScroll,
  INJECTION,
  PHONE_SCREEN,
  zoneOfAnotherDay,
} from './dashboard-browser.ts';

const browser = dashboardBrowser();
let phones: Awaited<ReturnType<typeof openPhoneCompany>>;
let ada: Employee;
let number: string;

describeInBrowser('reports in the dashboard', () => {
  beforeAll(async () => {
    phones = await openPhoneCompany();
    ada = await phones.hire('Ada', true);
    await succeeded(operate(sharedStack(), 'PUT', `/employees/${ada.id}/password`, { password: PASSWORD }));
    await succeeded(phones.company.call('PATCH', `/employees/${ada.id}`, { name: INJECTION }));
    number = await phones.number({ type: 'TransferConfig', employee_ids: [ada.id] }, { awaitsPrompts: false });
    await phones.over(await phones.talk(number, ada));
    await phones.waitUntilIdle(ada);
    const legId = await phones.dial(number);
    const callId = await phones.callOf(legId);
    await phones.rings(ada);
    await phones.hangUp(legId);
    await phones.state(callId, 'ended');
    await waitUntil(
      async () => (await phones.company.call('GET', '/reports/calls?group_by=employee')).body.totals.missed === 1,
      { what: 'both calls to be counted', timeoutMs: LIMIT_MS },
    );
  });

  it('reports in the dashboard show an admin all calls, by period and group, as figures, bars and a table', async () => {
    const page = await browser.signIn(phones.company.owner, '/dashboard/reports', { timezoneId: zoneOfAnotherDay() });
    await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor();
    await page.getByRole('img', { name: 'Calls by day, as bars' }).waitFor();
    const days = page.getByRole('table', { name: 'Calls by day' });
    expect(await days.getByRole('row').count()).toBe(1 + 30);
    expect(await figure(page, 'Calls')).toBe('2');
    expect(await figure(page, 'Missed')).toBe('1');
    await page.getByText('Days and hours of Europe/Copenhagen').waitFor();
    await expectAccessible(page);

    await page.getByLabel('Period').selectOption({ label: 'Last 7 days' });
    await waitUntil(async () => (await days.getByRole('row').count()) === 1 + 7, { what: 'seven days' });
    await page.getByLabel('Group by').selectOption({ label: 'By employee' });
    const row = page.getByRole('table', { name: 'Calls by employee' }).getByRole('row').filter({ hasText: INJECTION });
    const cells = async () => (await row.getByRole('cell').allInnerTexts()).slice(0, 6);
    await waitUntil(async () => (await cells())[1] === '0', { what: 'the period before' });
    // Calls, period before, incoming, outgoing, answered, missed: a missed call is nobody's.
    expect(await cells()).toEqual(['1', '0', '1', '0', '1', '0']);
    expect(new URL(page.url()).searchParams.get('group_by')).toBe('employee');
    await expectAccessible(page);
    await expectNoInjection(page);

    const ends = page.getByRole('region', { name: 'How calls end' }).getByRole('listitem');
    expect(await ends.allInnerTexts()).toEqual([
      expect.stringMatching(/^Answered\s+1\s+50/),
      expect.stringMatching(/^Hung up while waiting\s+1\s+50/),
    ]);
    const hours = page.getByRole('region', { name: 'When people call' });
    await hours.getByRole('button', { name: 'Show as a table' }).click();
    await hours.getByRole('table', { name: 'When people call' }).waitFor();
    await page.getByRole('button', { name: 'Texts', exact: true }).click();
    await page.getByText('No texts in this period.').waitFor();
    await expectAccessible(page);
  });

  it('reports in the dashboard show a member only their own, also on a small screen', async () => {
    const page = await browser.signIn(ada, '/dashboard/reports', { viewport: PHONE_SCREEN });
    await page.getByText('Calls that you took part in.').waitFor();
    await page.getByRole('img', { name: 'Calls by day, as bars' }).waitFor();
    expect(await figure(page, 'Calls')).toBe('1');
    const groups = await page.getByLabel('Group by').locator('option').allInnerTexts();
    expect(groups).toEqual(['By day', 'By weekday', 'By hour of the day', 'By number']);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });

  it('reports in the dashboard show on a wallboard who waits as soon as somebody does', async () => {
    const page = await browser.signIn(phones.company.owner, '/dashboard/live');
    const waiting = page.getByRole('region', { name: 'Waiting now' });
    await waiting.getByText('Nobody waits').waitFor();
    await page.getByRole('region', { name: 'Team' }).getByText(INJECTION).waitFor();
    await phones.online(ada, false);
    const legId = await phones.dial(number, '+4520304099');
    await waiting.getByRole('listitem').filter({ hasText: '+4520304099' }).waitFor();
    await expectAccessible(page);
    await expectNoInjection(page);
    await phones.hangUp(legId);
    await waiting.getByText('Nobody waits').waitFor();
    await page.setViewportSize(PHONE_SCREEN);
    await expectNoSidewaysScroll(page);
  });
});

/** The value of one of the figures. */
const figure = (page: Page, label: string): Promise<string> =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator('dd')
    .first()
    .innerText();
