import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { startTexting, type Texting } from '../messages/texting.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import { callItem, contextFromOutside, itemsFromOutside } from './activity-items.ts';
import {
  dashboardBrowser,
  describeInBrowser,
  expectAccessible,
  expectNoInjection,
  expectNoSidewaysScroll,
  INJECTION,
  PHONE_SCREEN,
  tabTo,
  waitForFocus,
  waitForValue,
} from './dashboard-browser.ts';
import { inboxParts } from './inbox-parts.ts';

const browser = dashboardBrowser();
const SEND = '**/api/v1/business_numbers/*/messages';

let texting: Texting;
let page: Page;
let ane: string;

const { thread, log, message, open, pressSend } = inboxParts(() => page);
const ofAne = () => ({ customer: ane, number: texting.number });

describeInBrowser('a thread in the dashboard', () => {
  beforeAll(async () => {
    texting = await startTexting();
    page = await browser.signIn(texting.company.owner, '/dashboard');
  });
  beforeEach(() => {
    ane = texting.customer();
  });

  it('a thread in the dashboard sends a text, says what became of it, and retries it after a failure', async () => {
    await open(ane);
    await message().fill('Your bicycle is ready.');
    await page.getByText('1 part.').waitFor();
    await page.getByRole('combobox', { name: 'Send from' }).selectOption({ value: texting.number.id });
    await pressSend();
    await log().getByText('Your bicycle is ready.').waitFor();
    await waitForValue(message(), '');

    const submitted = async (count: number) =>
      waitUntil(async () => (await texting.submitted(ane))[count - 1], { what: `text ${count} at the provider` });
    await texting.report((await submitted(1)).provider_id, { status: 'failed', code: '40001' });
    await log().getByText('Failed: this number cannot receive texts').waitFor();
    await log().getByRole('button', { name: 'Retry' }).click();
    await texting.report((await submitted(2)).provider_id, { status: 'delivered' });
    await log().getByText('Delivered').waitFor();
    expect(await log().getByRole('button', { name: 'Retry' }).count()).toBe(0);
  });

  it('a thread in the dashboard loses nothing when the response to a send is lost, and sends once', async () => {
    await texting.receive({ from: ane, text: 'Hello?' });
    await open(ane);
    await message().fill('Hello Ane');
    const loseResponse = async (route: Route) => {
      await route.fetch();
      await route.abort();
    };
    await page.route(SEND, loseResponse);
    browser.expectProblems(/net::ERR_FAILED/);
    await pressSend();
    expect(await page.getByRole('alert').innerText()).toContain('try again');
    await page.unroute(SEND);
    await page.reload();
    await waitForValue(message(), 'Hello Ane');
    await page.route(SEND, (route) => route.fulfill({ status: 503, json: { error: 'unavailable' } }));
    await pressSend();
    expect(await page.getByRole('alert').innerText()).toContain('Try again');
    await page.unroute(SEND);
    await pressSend();
    await page.getByText('Text sent.').waitFor();
    await waitForValue(message(), '');
    await log().getByText('Hello Ane').first().waitFor();
    expect(await log().getByText('Hello Ane').count()).toBe(1);
    expect(await texting.submitted(ane)).toHaveLength(1);
  });

  it('a thread in the dashboard shows comments of the team, which are never sent', async () => {
    const { owner } = texting.company;
    await texting.receive({ from: ane, text: 'Do you have it in grey?' });
    await open(ane);
    await message().fill('A draft');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    const comment = page.getByRole('textbox', { name: 'Comment' });
    await comment.pressSequentially(`${INJECTION} @${owner.name.slice(0, 2)}`);
    await page.getByRole('list', { name: 'Coworkers' }).getByRole('button', { name: owner.name }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add comment' }).click();
    const item = log().getByRole('listitem').filter({ hasText: 'only your team sees it' });
    await item.getByText(`@${owner.name}`).waitFor();
    await expectNoInjection(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Write a text instead' }).click();
    await waitForValue(message(), 'A draft');
    expect(await texting.submitted(ane)).toEqual([]);
  });

  it('a thread in the dashboard shows calls, voicemails and caller context, and runs nothing that people outside wrote', async () => {
    await page.route('**/api/v1/inbox/*/activity', async (route) => {
      const response = await route.fetch();
      await route.fulfill({
        response,
        json: { ...(await response.json()), items: [...itemsFromOutside(ofAne()), callItem(ofAne())] },
      });
    });
    await page.route('**/api/v1/caller_context?*', (route) => route.fulfill({ json: contextFromOutside() }));
    await open(ane);
    const call = log().getByRole('listitem').filter({ hasText: 'answered by Ada, 1:05' });
    expect(await call.getByRole('link', { name: 'Incoming call' }).getAttribute('href')).toBe(
      '/dashboard/calls/call_1',
    );
    expect(await log().locator('audio').getAttribute('src')).toBe('/recordings/x.wav');
    expect(await log().getByText(INJECTION, { exact: true }).count()).toBe(2);
    await page.getByText(`Plan ${INJECTION}`).waitFor();
    expect(await page.getByRole('link', { name: 'Safe' }).getAttribute('href')).toBe('https://crm.example/7');
    expect(await page.getByRole('link', { name: 'Unsafe' }).count()).toBe(0);
    await expectNoInjection(page);
    await expectAccessible(page);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('a thread in the dashboard works with the keyboard alone on a small screen, snippets included', async () => {
    await texting.receive({ from: ane, text: 'When do you open?' });
    await page.setViewportSize(PHONE_SCREEN);
    await page.goto('/dashboard/inbox');
    await thread(ane).waitFor();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await tabTo(thread(ane).getByRole('link'));
    await page.keyboard.press('Enter');
    await log().getByText('When do you open?').waitFor();
    await page.getByRole('link', { name: 'New contact' }).waitFor();

    await tabTo(page.getByRole('button', { name: 'Snippets' }));
    await page.keyboard.press('Enter');
    await tabTo(page.getByRole('button', { name: 'New snippet' }));
    await page.keyboard.press('Enter');
    await page.keyboard.type(`Hours ${INJECTION}`);
    await page.keyboard.press('Tab');
    await page.keyboard.type('We open at 9.');
    await tabTo(page.getByRole('button', { name: 'Save' }));
    await page.keyboard.press('Enter');
    const snippets = page.getByRole('dialog', { name: 'Snippets' });
    await snippets.getByText(INJECTION).waitFor();
    await expectAccessible(page);
    await tabTo(snippets.getByRole('button', { name: /^Hours/ }));
    await page.keyboard.press('Enter');
    await snippets.waitFor({ state: 'detached' });
    await waitForFocus(message());
    await waitForValue(message(), 'We open at 9.');
    await page.keyboard.press('Control+Enter');
    await log().getByText('We open at 9.').waitFor();
    await expectNoSidewaysScroll(page);
    await expectNoInjection(page);
  });
});
