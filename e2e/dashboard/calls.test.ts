import { beforeAll, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import { type Employee, openPhoneCompany } from '../calls/phone-company.ts';
import { createTestCompany, succeeded } from '../support/api.ts';
import {
  dashboardBrowser,
  describeInBrowser,
  expectAccessible,
  expectNoInjection,
  expectNoSidewaysScroll,
  INJECTION,
  PHONE_SCREEN,
  tabTo,
  waitForValue,
} from './dashboard-browser.ts';

const CALLER = '+4520304050';
/** Speech is recognised more slowly on a busy machine. */
const TRANSCRIPT_MS = 120_000;

const browser = dashboardBrowser();
let phones: Awaited<ReturnType<typeof openPhoneCompany>>;
let ada: Employee;
let number: string;

describeInBrowser('calls in the dashboard', () => {
  beforeAll(async () => {
    phones = await openPhoneCompany();
    ada = await phones.hire('Ada', true);
    await succeeded(phones.company.call('PATCH', `/employees/${ada.id}`, { name: INJECTION }));
    await succeeded(phones.company.call('POST', '/contacts', { phone: CALLER, name: INJECTION }));
    number = await phones.number({ type: 'TransferConfig', employee_ids: [ada.id] }, { awaitsPrompts: false });
  });

  it('calls in the dashboard are followed from the list to the transcript, whose times jump in the recording', async () => {
    const page = await browser.signIn(phones.company.owner, '/dashboard/calls');
    await page.getByText('There are no calls yet.').waitFor();
    const { legId, callId } = await phones.talk(number, ada);
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: INJECTION }) });
    await row.getByRole('cell', { name: 'In a call' }).waitFor();
    await expectAccessible(page);
    await row.getByRole('link', { name: INJECTION }).click();
    await page.getByRole('heading', { level: 1, name: `Call with ${INJECTION}` }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/dashboard/calls/${callId}`);
    await page.getByRole('status').filter({ hasText: 'Incoming: In a call' }).waitFor();

    await phones.sandbox('POST', `/legs/${legId}/say`, { text: 'The weather in Copenhagen is nice.' });
    await phones.over({ legId, callId });
    await page.getByRole('status').filter({ hasText: 'Incoming: Answered by' }).waitFor();
    const time = page.getByRole('button', { name: /^Play from / }).first();
    await time.waitFor({ timeout: TRANSCRIPT_MS });
    const { body } = await phones.company.call('GET', `/calls/${callId}/transcript`);
    const [first] = body.segments;
    expect(first).toMatchObject({ speaker: CALLER, start_ms: expect.any(Number), end_ms: expect.any(Number) });
    await page.getByRole('region', { name: 'Transcript' }).getByText(first.text).waitFor();
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.getByText('hung up').waitFor();
    await timeline.getByRole('button', { name: /^Show all \d+ steps$/ }).click();
    await timeline.getByText('The call ended').waitFor();
    expect(await timeline.innerText()).not.toMatch(/parked|NORMAL|leg_/);
    await page.getByLabel('Find in transcript').fill(first.text.slice(0, 5));
    await page.getByText(/^[1-9]\d* found$/).waitFor();
    await time.click();
    await waitUntil(() => page.evaluate('document.querySelector("audio").currentTime > 0'), { what: 'playing' });
    const note = page.getByRole('region', { name: 'Note and tags' });
    await note.getByLabel('Note', { exact: true }).fill(INJECTION);
    await note.getByLabel('Tags', { exact: true }).and(page.getByRole('textbox')).fill('Weather, small talk');
    await note.getByRole('button', { name: 'Save' }).click();
    await note.getByRole('link', { name: 'small talk' }).waitFor();
    const { body: noted } = await phones.company.call('GET', `/calls/${callId}`);
    expect([noted.note, noted.tags]).toEqual([INJECTION, ['Weather', 'small talk']]);
    await expectNoInjection(page);
    await page.setViewportSize(PHONE_SCREEN);
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);

    const segments = [{ speaker: INJECTION, text: INJECTION, start_ms: 65_000, end_ms: 66_000 }];
    await page.route('**/transcript', (route) => route.fulfill({ json: { segments } }));
    await page.reload();
    await page.getByRole('button', { name: 'Play from 1:05' }).waitFor();
    expect(await page.getByRole('listitem').filter({ hasText: INJECTION }).count()).toBeGreaterThan(0);
    await expectNoInjection(page);
  }, 300_000);

  it('calls in the dashboard are filtered with the keyboard on a small screen, in an address that survives a reload', async () => {
    const other = '+4520304051';
    for (const from of [CALLER, other]) {
      const legId = await phones.dial(number, from);
      await phones.over({ legId, callId: await phones.callOf(legId) });
    }
    const page = await browser.signIn(phones.company.owner, '/dashboard/calls', { viewport: PHONE_SCREEN });
    const missed = page.getByRole('row').filter({ has: page.getByRole('link', { name: other }) });
    await missed.getByRole('cell', { name: 'Missed' }).waitFor();
    await tabTo(page.getByLabel('Phone number'));
    await page.keyboard.type('20 30 40 51');
    await page.getByRole('link', { name: INJECTION }).first().waitFor({ state: 'detached' });
    await missed.waitFor();
    await page.reload();
    await missed.waitFor();
    await waitUntil(async () => (await page.getByRole('row').count()) === 2, { what: 'only the call that fits' });
    await page.getByLabel('Direction').selectOption('outbound');
    await page.getByText('No call fits these filters.').waitFor();
    expect(new URL(page.url()).searchParams.get('direction')).toBe('outbound');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await missed.waitFor();
    await waitForValue(page.getByLabel('Phone number'), '');
    await page.getByLabel('Search calls').fill('something that nobody said');
    await page.getByText('No call fits these filters.').waitFor();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });

  it('calls in the dashboard of another company are not found', async () => {
    const { body } = await phones.company.call('GET', '/calls');
    const other = await createTestCompany();
    const page = await browser.signIn(other.owner, `/dashboard/calls/${body.calls[0].id}`);
    await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
    await page.goto('/dashboard/calls/cal_unknown');
    await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
  });
});
