import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createNumber } from '../business-numbers/create-number.ts';
import { startTexting, type Texting } from '../messages/texting.ts';
import { succeeded } from '../support/api.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import {
  dashboardBrowser,
  describeInBrowser,
  expectAccessible,
  expectNoInjection,
  expectNoSidewaysScroll,
  INJECTION,
  PHONE_SCREEN,
  waitForValue,
} from './dashboard-browser.ts';
import { inboxParts, isUnseen } from './inbox-parts.ts';

const browser = dashboardBrowser();

let texting: Texting;
let page: Page;
let ane: string;

const { thread, log, open } = inboxParts(() => page);

describeInBrowser('the inbox in the dashboard', () => {
  beforeAll(async () => {
    texting = await startTexting();
    page = await browser.signIn(texting.company.owner, '/dashboard');
  });
  beforeEach(() => {
    ane = texting.customer();
  });

  it('the inbox in the dashboard is the home page: lists threads, searches and filters them, and keeps the filters', async () => {
    const { body: sales } = await createNumber(texting.company, { name: 'Sales' });
    await succeeded(texting.company.call('POST', '/contacts', { phone: ane, name: `Ane Jensen ${INJECTION}` }));
    const other = texting.customer();
    await texting.receive({ from: ane, text: `Are you open? ${INJECTION}` });
    // A contact reaches the inbox by an event, which no live update announces; the next text does.
    await waitUntil(
      async () => (await succeeded(texting.company.call('GET', '/inbox'))).body.threads[0]?.contact?.name !== undefined,
      { what: 'the contact in the inbox' },
    );
    await texting.receive({ from: other, to: sales.number, text: 'To sales' });

    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
    await thread(/Ane Jensen.*Unseen.*Are you open\?/).waitFor();
    await thread(new RegExp(`\\${other}.*Unseen.*To sales`)).waitFor();
    await page.getByRole('link', { name: /^Inbox, 2 unseen$/ }).waitFor();
    await expectNoInjection(page);

    await page.getByRole('searchbox', { name: 'Search inbox' }).fill('jensen');
    await thread(other).waitFor({ state: 'detached' });
    await page.reload();
    await waitForValue(page.getByRole('searchbox', { name: 'Search inbox' }), 'jensen');
    await thread('Ane').waitFor();
    expect(await thread(other).count()).toBe(0);

    await page.getByRole('searchbox', { name: 'Search inbox' }).fill('sales');
    await page.getByRole('list', { name: 'In texts' }).locator('mark', { hasText: 'sales' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('searchbox', { name: 'Search inbox' }).fill('');
    await page.getByRole('combobox', { name: 'Business number' }).selectOption({ value: sales.id });
    await thread('Ane').waitFor({ state: 'detached' });
    await thread(other).getByRole('link').click();
    await log().getByText('To sales').waitFor();
    // Replies go out from the number that was texted.
    await waitForValue(page.getByRole('combobox', { name: 'Send from' }), sales.id);
    await waitUntil(async () => !(await isUnseen(texting, other)), { what: 'the opened thread is seen' });

    await page.goto('/dashboard/inbox');
    await thread(other).waitFor();
    await page.getByRole('switch', { name: 'Unseen only' }).click();
    await thread(other).waitFor({ state: 'detached' });
    await thread('Ane').waitFor();
    await page.getByRole('link', { name: 'Inbox, 1 unseen' }).waitFor();
  });

  it('the inbox in the dashboard shows a text from outside in every open window, and marks it as seen', async () => {
    await texting.receive({ from: ane, text: 'First' });
    await open(ane);
    await log().getByText('First').waitFor();
    const list = await browser.openWindow(page, '/dashboard/inbox');
    await list.getByRole('list', { name: 'Threads' }).getByText('First').waitFor();
    await texting.receive({ from: ane, text: 'Second' });
    await Promise.all([
      log().getByText('Second').waitFor(),
      list.getByRole('list', { name: 'Threads' }).getByText('Second').waitFor(),
    ]);
    await waitUntil(async () => !(await isUnseen(texting, ane)), { what: 'the text is seen' });
    await list.close();
  });

  it('the inbox in the dashboard assigns a thread, marks it as done and lists threads by both', async () => {
    const { owner } = texting.company;
    const other = texting.customer();
    await texting.receive({ from: ane, text: 'Can you call me?' });
    await texting.receive({ from: other, text: 'Something else' });
    await open(ane);
    const assignee = page.getByRole('combobox', { name: 'Assigned to', exact: true });
    await assignee.selectOption({ value: owner.id });
    await thread(new RegExp(`\\${ane}.*Assigned to`)).waitFor();
    const choices = page.getByRole('group', { name: 'Which threads' });
    await choices.getByRole('button', { name: 'Mine' }).click();
    await thread(other).waitFor({ state: 'detached' });
    await thread(ane).waitFor();
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Mark as done' }).click();
    await page.getByRole('button', { name: 'Open again' }).waitFor();
    await thread(ane).waitFor({ state: 'detached' });
    await choices.getByRole('button', { name: 'Done', exact: true }).click();
    await thread(new RegExp(`\\${ane}.*Done`)).waitFor();
    await page.reload();
    await thread(ane).waitFor();
    expect(await thread(other).count()).toBe(0);
    // Changes made elsewhere are shown as well: a new text opens the thread again.
    await texting.receive({ from: ane, text: 'One more thing' });
    await page.getByRole('button', { name: 'Mark as done' }).waitFor();
    await thread(ane).waitFor({ state: 'detached' });
    await page.setViewportSize(PHONE_SCREEN);
    await assignee.waitFor();
    await expectNoSidewaysScroll(page);
    await page.setViewportSize({ width: 1280, height: 720 });
    await choices.getByRole('button', { name: 'All' }).click();
    await thread(other).waitFor();
  });

  it('the inbox in the dashboard starts a thread with any phone number, and says when something is none', async () => {
    await page.goto('/dashboard/inbox');
    await page.getByRole('button', { name: 'New message' }).click();
    await page.getByLabel('Phone number').fill('12');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Is not a valid phone number.').waitFor();
    await page.getByLabel('Phone number').fill(ane);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { level: 1, name: ane }).waitFor();
    await open('nonsense');
    await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
  });
});
