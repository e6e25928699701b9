import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { startTexting, type Texting } from '../messages/texting.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import { textItem } from './activity-items.ts';
import { dashboardBrowser, describeInBrowser, expectAccessible } from './dashboard-browser.ts';
import { inboxParts, isUnseen } from './inbox-parts.ts';

const browser = dashboardBrowser();

let texting: Texting;
let page: Page;
let ane: string;

const { log, open } = inboxParts(() => page);
const ofAne = () => ({ customer: ane, number: texting.number });

describeInBrowser('a long thread in the dashboard', () => {
  beforeAll(async () => {
    texting = await startTexting();
    page = await browser.signIn(texting.company.owner, '/dashboard');
  });
  beforeEach(() => {
    ane = texting.customer();
  });

  it('older activity of a long thread is loaded without moving what is being read, and what arrives does not move it either', async () => {
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
    expect(await isUnseen(texting, ane)).toBe(true);
    await page.getByRole('button', { name: 'New activity below' }).click();
    await waitUntil(async () => !(await isUnseen(texting, ane)), { what: 'the newest text is seen' });
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('the dashboard renders of a long thread what is in view, and moves nothing that is read or used', async () => {
    const [first, older, pages] = [50, 100, 14];
    const count = first + pages * older;
    const texts: object[] = Array.from({ length: count }, (_, index) => textItem(ofAne(), index));
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
    // Without a stored text there is no thread: its bar ("Mark as done") would disappear from above the log later, and move it.
    await texting.receive({ from: ane, text: 'Begins the thread' });
    await open(ane);
    await item(0).waitFor();
    await page.getByRole('button', { name: 'Mark as done' }).waitFor();
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
      // Rows that come into view are measured in the next frames, which take a busy machine long.
      const place = () =>
        entry.evaluate(async (one) => {
          const now = () => one.isConnected && one.getBoundingClientRect().top;
          const { requestAnimationFrame } = globalThis as unknown as { requestAnimationFrame(done: () => void): void };
          let last = now();
          for (let frames = 0; frames < 10; frames = last === now() ? frames + 1 : 0) {
            last = now();
            await new Promise<void>((done) => requestAnimationFrame(done));
            await new Promise((done) => setTimeout(done, 10));
          }
          return last;
        });
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
    texts.unshift(textItem(ofAne(), -1));
    await texting.receive({ from: ane, text: 'Announces that there is something new' });
    await item(-1).waitFor();
    await waitUntil(async () => (await scrolled()) === 0, { what: 'the end of the log again' });
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('a text that was found is opened where it is in a long thread of the dashboard', async () => {
    const texts: object[] = Array.from({ length: 900 }, (_, index) => textItem(ofAne(), index));
    const found = { ...textItem(ofAne(), 700), highlights: [{ start: 0, end: 4 }] };
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
});
