import { expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import type { Page } from 'playwright-core';
import { LIMIT_MS, openPhoneCompany } from '../calls/phone-company.ts';
import { startTexting } from '../messages/texting.ts';
import {
  dashboardBrowser,
  describeInBrowser,
  expectAccessible,
  expectNoInjection,
  expectUsable,
  INJECTION,
  zoneOfAnotherDay,
} from './dashboard-browser.ts';

const CALLER = '+4520304050';

const browser = dashboardBrowser();

describeInBrowser('home in the dashboard', () => {
  it('home in the dashboard leads through the steps of a new company, each until it is done, and then shows the day', async () => {
    const phones = await openPhoneCompany();
    const page = await browser.signIn(phones.company.owner, '/dashboard/home', { timezoneId: zoneOfAnotherDay() });
    const checklist = page.getByRole('region', { name: 'Finish setting up' });
    await checklist.getByText('0 of 5').waitFor();
    await checklist.getByText('Ask your operator for one.').waitFor();
    await checklist.getByRole('link', { name: 'Invite a coworker' }).waitFor();
    await page.getByText('Nobody waits for an answer.').waitFor();
    await expectAccessible(page);

    const ada = await phones.hire('Ada', true);
    const number = await phones.number({ type: 'TransferConfig', employee_ids: [ada.id] }, { awaitsPrompts: false });
    await phones.over(await phones.talk(number, ada));
    await page.reload();
    await checklist.getByText('3 of 5').waitFor();
    await checklist.getByRole('button', { name: 'Switch on' }).click();
    await checklist.getByText('4 of 5').waitFor();
    await checklist.getByRole('link', { name: 'New contact' }).click();
    await page.getByLabel('Phone number').fill(CALLER);
    await page.getByLabel('Name', { exact: true }).fill(INJECTION);
    await page.getByRole('button', { name: 'Create contact' }).click();
    await page.getByRole('heading', { level: 1, name: INJECTION }).waitFor();

    // Nobody answers the second call, so that somebody waits.
    await phones.waitUntilIdle(ada);
    const legId = await phones.dial(number, CALLER);
    const callId = await phones.callOf(legId);
    await phones.rings(ada);
    await phones.hangUp(legId);
    await phones.state(callId, 'ended');
    await waitUntil(
      async () => (await phones.company.call('GET', '/reports/calls?group_by=employee')).body.totals.total === 2,
      { what: 'both calls to be counted', timeoutMs: LIMIT_MS },
    );
    await page.getByRole('navigation').getByRole('link', { name: 'Home' }).click();
    const duty = page.getByRole('region', { name: 'On duty' });
    await duty.getByRole('listitem').filter({ hasText: 'Ada' }).waitFor();
    expect(await checklist.count()).toBe(0);
    await waitForFigure(page, 'Calls today', '2', '1 answered');
    await waitForFigure(page, 'Unseen', '1', 'in the inbox');
    await page.getByText('1 person waits for an answer.').waitFor();
    const waiting = page.getByRole('region', { name: 'Needs an answer' });
    await waiting.getByRole('link', { name: INJECTION }).waitFor();
    await expectUsable(page);
    await expectNoInjection(page);
    await waiting.getByRole('link', { name: INJECTION }).click();
    await page.getByRole('heading', { level: 1, name: INJECTION }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/dashboard/inbox/${encodeURIComponent(CALLER)}`);
  });

  it('home in the dashboard hides the steps for good, and shows a text from outside without a reload', async () => {
    const { company, receive } = await startTexting();
    const page = await browser.signIn(company.owner, '/dashboard/home');
    await page.getByRole('region', { name: 'Finish setting up' }).getByRole('button', { name: 'Hide' }).click();
    await page.getByRole('region', { name: 'On duty' }).waitFor();
    const waiting = page.getByRole('region', { name: 'Needs an answer' });
    await waiting.getByText('Nobody waits.').waitFor();
    await receive({ from: CALLER, text: 'Are you open today?' });
    await waiting.getByText('Are you open today?').waitFor();
    await waiting.getByRole('link', { name: 'Text' }).waitFor();
    await page.reload();
    await page.getByRole('region', { name: 'On duty' }).waitFor();
    expect(await page.getByRole('region', { name: 'Finish setting up' }).count()).toBe(0);
  });
});

async function waitForFigure(page: Page, label: string, value: string, detail: string): Promise<void> {
  const figure = page.locator('dl > div').filter({ has: page.getByText(label, { exact: true }) });
  await figure.locator('dd').filter({ hasText: detail }).filter({ hasText: value }).waitFor();
}
