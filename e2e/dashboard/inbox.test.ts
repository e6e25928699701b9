import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
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
  tabTo,
  waitForFocus,
  waitForValue,
} from './dashboard-browser.ts';

const browser = dashboardBrowser();
const SEND = '**/api/v1/business_numbers/*/messages';

let texting: Texting;
let page: Page;
let ane: string;

const threads = () => page.getByRole('list', { name: 'Threads' });
const thread = (name: string | RegExp) => threads().getByRole('listitem', { name });
const log = (window = page) => window.getByRole('log', { name: 'Activity' });
const message = () => page.getByRole('textbox', { name: 'Message' });
const open = (phone: string) => page.goto(`/dashboard/inbox/${encodeURIComponent(phone)}`);
const pressSend = () => page.getByRole('button', { name: 'Send', exact: true }).click();
const isUnseen = async (phone: string) =>
  (await texting.company.call('GET', '/inbox?unseen=true')).body.threads.some(
    ({ phone_number: number }: { phone_number: string }) => number === phone,
  );

describeInBrowser('the inbox in the dashboard', () => {
  beforeAll(async () => {
    texting = await startTexting();
    page = await browser.signIn(texting.company.owner, '/dashboard');
  });
  beforeEach(() => {
    ane = texting.customer();
  });

  it('is the home page: lists threads, searches and filters them, and keeps the filters', async () => {
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
    await waitUntil(async () => !(await isUnseen(other)), { what: 'the opened thread is seen' });

    await page.goto('/dashboard/inbox');
    await thread(other).waitFor();
    await page.getByRole('switch', { name: 'Unseen only' }).click();
    await thread(other).waitFor({ state: 'detached' });
    await thread('Ane').waitFor();
    await page.getByRole('link', { name: 'Inbox, 1 unseen' }).waitFor();
  });

  it('shows a text from outside in every open window, and marks it as seen', async () => {
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
    await waitUntil(async () => !(await isUnseen(ane)), { what: 'the text is seen' });
    await list.close();
  });

  it('assigns a thread, marks it as done and lists threads by both', async () => {
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

  it('shows comments of the team, which are never sent', async () => {
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

  it('sends a text, says what became of it, and retries it after a failure', async () => {
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

  it('loses nothing when the response to a send is lost, and sends once', async () => {
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

  it('loads older activity without moving what is being read, nor does what arrives', async () => {
    // Shorter pages, so that fewer texts are needed.
    await page.route('**/activity*', (route) => {
      const url = new URL(route.request().url());
      url.searchParams.set('limit', '20');
      return route.continue({ url: url.href });
    });
    const item = (index: number) => log().getByText(`Text ${index}.`, { exact: true });
    for (let index = 0; index < 30; index++) await texting.receive({ from: ane, text: `Text ${index}.` });
    await open(ane);
    await item(29).waitFor();
    expect(await item(0).count()).toBe(0);
    const read = item(12);
    const topOfRead = async () => (await read.boundingBox())?.y ?? 0;
    await read.scrollIntoViewIfNeeded();
    const before = await topOfRead();
    await item(0).waitFor();
    expect(Math.abs((await topOfRead()) - before)).toBeLessThan(2);
    await texting.receive({ from: ane, text: 'Newest' });
    await page.getByRole('button', { name: 'New activity below' }).waitFor();
    expect(Math.abs((await topOfRead()) - before)).toBeLessThan(2);
    expect(await isUnseen(ane)).toBe(true);
    await page.getByRole('button', { name: 'New activity below' }).click();
    await waitUntil(async () => !(await isUnseen(ane)), { what: 'the newest text is seen' });
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('renders of a long thread what is in view, and moves nothing that is read or used', async () => {
    const [first, older, pages] = [50, 100, 14];
    const count = first + pages * older;
    const texts: object[] = Array.from({ length: count }, (_, index) => textItem(index));
    let answerOlder: (() => void) | undefined;
    await page.route('**/api/v1/inbox/*/activity*', async (route) => {
      const query = new URL(route.request().url()).searchParams;
      const start = Number(query.get('cursor') ?? 0);
      const end = start + (start === 0 ? first : older);
      if (start > 0) await new Promise<void>((resolve) => (answerOlder = resolve));
      await route.fulfill({
        json: {
          phone_number: ane,
          contact: null,
          items: texts.slice(start, end),
          next_cursor: end < texts.length ? String(end) : null,
          observed_at: new Date(Date.now() - 1000).toISOString(),
        },
      });
    });
    const item = (index: number) => log().getByText(`Text ${index}.`);
    const rows = () => log().getByRole('listitem').count();
    const scrolled = () => log().evaluate((box) => Math.round(box.scrollHeight - box.clientHeight - box.scrollTop));
    await open(ane);
    await item(0).waitFor();
    expect(await scrolled()).toBe(0);
    const scrollToTop = () =>
      log().evaluate((box) => {
        box.scrollTop = 0;
      });
    for (let read = 0; read < pages; read++) {
      await scrollToTop();
      await waitUntil(async () => answerOlder, { what: 'a request for older texts' });
      // What is at the top stays where it is when older texts are put before it.
      const entry = await log().evaluateHandle((box) => {
        const { top } = box.getBoundingClientRect();
        const entries = [...box.querySelectorAll('li:not([data-no-entry])')];
        return entries[entries.findIndex((one) => one.getBoundingClientRect().top >= top)]!;
      });
      const place = () => entry.evaluate((one) => one.isConnected && one.getBoundingClientRect().top);
      const before = { place: await place(), height: await log().evaluate((box) => box.scrollHeight) };
      answerOlder?.();
      answerOlder = undefined;
      await waitUntil(() => log().evaluate((box, height) => box.scrollHeight > height + 1000, before.height), {
        what: 'older texts',
      });
      expect(await place()).toBe(before.place);
    }
    await scrollToTop();
    await item(count - 1).waitFor();
    expect(await rows()).toBeLessThan(100);
    await expectAccessible(page);
    // What has the focus stays in the document, wherever one scrolls.
    await log().evaluate((box) => {
      box.scrollTop = box.scrollHeight / 2;
    });
    const retry = log().getByRole('button', { name: 'Retry' }).first();
    await retry.focus();
    await scrollToTop();
    await item(count - 1).waitFor();
    expect(await page.locator('[role=log] button:focus').count()).toBe(1);
    await log().focus();
    await page.keyboard.press('End');
    await item(0).waitFor();
    await waitUntil(async () => (await scrolled()) === 0, { what: 'the end of the log' });
    texts.unshift(textItem(-1));
    await texting.receive({ from: ane, text: 'Announces that there is something new' });
    await item(-1).waitFor();
    await waitUntil(async () => (await scrolled()) === 0, { what: 'the end of the log again' });
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('opens a text that was found where it is in a long thread', async () => {
    const texts: object[] = Array.from({ length: 900 }, (_, index) => textItem(index));
    const found = { ...textItem(700), highlights: [{ start: 0, end: 4 }] };
    await page.route('**/api/v1/messages?*', (route) => route.fulfill({ json: { messages: [found] } }));
    await page.route('**/api/v1/inbox/*/activity*', async (route) => {
      const start = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0);
      const end = start + 100;
      const cursor = end < texts.length ? String(end) : null;
      const rest = { phone_number: ane, contact: null, next_cursor: cursor, observed_at: new Date().toISOString() };
      await route.fulfill({ json: { ...rest, items: texts.slice(start, end) } });
    });
    await open(ane);
    await page.getByRole('searchbox', { name: 'Search inbox' }).fill('text');
    await page.getByRole('list', { name: 'In texts' }).getByRole('link').click();
    const isInView = () =>
      log().evaluate((box) => {
        const item = [...box.querySelectorAll('li')].find(({ textContent }) => textContent?.includes('Text 700.'));
        const [place, view] = [item?.getBoundingClientRect(), box.getBoundingClientRect()];
        return place !== undefined && place.top >= view.top && place.bottom <= view.bottom;
      });
    await waitUntil(isInView, { what: 'the text that was found is in view' });
    // It stays there when what is around it has been measured.
    await page.waitForTimeout(500);
    expect(await isInView()).toBe(true);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('shows calls, voicemails and caller context, and runs nothing that people outside wrote', async () => {
    await page.route('**/api/v1/inbox/*/activity', async (route) => {
      const response = await route.fetch();
      await route.fulfill({
        response,
        json: { ...(await response.json()), items: [...itemsFromOutside(), callItem()] },
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

  it('works with the keyboard alone on a small screen, snippets included', async () => {
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

  it('starts a thread with any phone number, and says when something is none', async () => {
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

const common = () => ({
  created_at: new Date().toISOString(),
  business_number_id: texting.number.id,
  business_number_name: 'Support',
  seen_at: null,
  direction: 'inbound',
  from: ane,
});

/** A text, some hours before the one with the next smaller number; long and short ones, some failed. */
function textItem(index: number): object {
  const at = new Date(Date.now() - (index + 2) * 5_000_000).toISOString();
  const isFailed = index % 5 === 1;
  return {
    ...common(),
    id: `msg_long_${index}`,
    type: 'message',
    format: 'sms',
    created_at: at,
    received_at: at,
    seen_at: at,
    delivered_at: null,
    direction: isFailed ? 'outbound' : 'inbound',
    to: texting.number.number,
    text: `Text ${index}. ${'Somebody has written more than a few words. '.repeat(Math.abs(index) % 7)}`,
    author: isFailed ? { type: 'employee', id: 'emp_1', name: 'Ada' } : { type: 'customer' },
    status: isFailed ? 'failed' : 'received',
    sms_count: 1,
    encoding: 'gsm7',
    failure_code: null,
    can_retry: isFailed,
    duration: null,
  };
}

function callItem(): object {
  return {
    ...common(),
    id: 'call_1',
    type: 'call',
    to: texting.number.number,
    duration: 65,
    state: 'ended',
    missed: false,
    summary: INJECTION,
    employee: { id: 'emp_1', name: 'Ada' },
    has_transcription: false,
  };
}

function itemsFromOutside(): object[] {
  return [
    {
      ...common(),
      id: 'vm_1',
      type: 'voicemail',
      duration: 7,
      transcription: INJECTION,
      recording_url: '/recordings/x.wav',
      listened: false,
      call_id: null,
    },
    {
      ...common(),
      id: 'vm_2',
      type: 'voicemail',
      duration: 7,
      transcription: 'Unsafe recording',
      recording_url: 'javascript:globalThis.injected=1',
      listened: false,
      call_id: null,
    },
    { ...common(), id: 'new_1', type: 'of the future' },
  ];
}

function contextFromOutside(): object {
  const fields = [
    { label: 'Plan', value: `Plan ${INJECTION}` },
    { label: 'Record', value: 'Safe', url: 'https://crm.example/7' },
    { label: 'Other record', value: 'Unsafe', url: 'javascript:globalThis.injected=1' },
  ];
  const context = {
    provider: 'custom',
    label: `CRM ${INJECTION}`,
    source: 'crm.example',
    url: 'javascript:globalThis.injected=1',
    contact: null,
    sections: [{ type: 'fields', fields }],
  };
  return { contexts: [context], enriched_at: new Date().toISOString(), contact: null };
}
