import { beforeAll, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import type { Page } from 'playwright-core';
import { createNumber } from '../business-numbers/create-number.ts';
import { type Company, createTestCompany, sandbox, sharedStack, succeeded } from '../support/api.ts';
import {
  dashboardBrowser,
  describeInBrowser,
  expectNoInjection,
  expectUsable,
  INJECTION,
  region,
  tabTo,
  waitForValue,
} from './dashboard-browser.ts';

/** The voice is loaded first, which takes long on a busy machine. */
const SPOKEN_WITHIN_MS = 120_000;

const browser = dashboardBrowser();
const stack = sharedStack();

describeInBrowser('the sandbox in the dashboard', () => {
  let company: Company;
  let number: { id: string; number: string };
  let page: Page;

  beforeAll(async () => {
    company = await createTestCompany(undefined, { messaging_enabled: true });
    const menu = {
      type: 'PhoneMenuConfig',
      welcome: INJECTION,
      menu_options: [{ digit: '1', action_type: 'VoicemailConfig', prompt: 'Speak after the tone' }],
    };
    number = (await createNumber(company, { incoming_call_config: menu })).body;
    const always = `/business_numbers/${number.id}/outside_business_hours_config`;
    await succeeded(company.call('PUT', always, { type: null }));
    page = await browser.signIn(company.owner, '/dashboard/sandbox');
  });

  const section = (name: string) => region(page, name);

  it('the sandbox in the dashboard calls a business number, and shows what the customer hears', async () => {
    const call = section('Call a business number');
    await call.getByLabel('From').fill('+4520304099');
    await tabTo(call.getByRole('button', { name: 'Call a business number' }));
    await page.keyboard.press('Enter');
    const heard = call.getByRole('list', { name: 'Heard' });
    await heard.getByText(INJECTION).waitFor({ timeout: SPOKEN_WITHIN_MS });
    await call.getByText('Connected', { exact: true }).waitFor();
    await expectNoInjection(page);
    await call.getByLabel('Press keys').fill('1');
    await call.getByRole('button', { name: 'Press keys' }).click();
    await heard.getByText('Speak after the tone').waitFor({ timeout: SPOKEN_WITHIN_MS });
    await heard.getByText('Beep').waitFor();
    await call.getByLabel('Say').fill('Please call me back');
    await call.getByRole('button', { name: 'Say' }).click();
    await waitUntil(async () => (await call.getByLabel('Say').inputValue()) === '', {
      what: 'words that were said',
      timeoutMs: SPOKEN_WITHIN_MS,
    });
    await page.reload();
    await call.getByRole('button', { name: 'Hang up' }).click();
    await call
      .getByText(/^Ended/)
      .first()
      .waitFor();
    await waitUntil(async () => (await company.call('GET', '/voicemails')).body.voicemails.length > 0, {
      what: 'the voicemail',
    });
  }, 400_000);

  it('the sandbox in the dashboard sends a text, and shows what the company answers', async () => {
    const text = section('Send a text');
    await text.getByLabel('From').fill('+4520304098');
    await text.getByRole('textbox', { name: 'Text' }).fill(INJECTION);
    await text.getByRole('button', { name: 'Send a text' }).click();
    await page.getByText('The text was sent.').waitFor();
    await waitForValue(text.getByRole('textbox', { name: 'Text' }), '');
    const inbox = await waitUntil(
      async () => {
        const { body } = await company.call('GET', '/inbox');
        return body.threads?.length > 0 && body.threads;
      },
      { what: 'the thread' },
    );
    expect(JSON.stringify(inbox)).toContain('+4520304098');
    const answer = { to: '+4520304098', text: `Thanks ${INJECTION}`, idempotency_key: 'answer' };
    expect((await company.call('POST', `/business_numbers/${number.id}/messages`, answer)).status).toBe(201);
    await text.getByRole('list', { name: 'Texts to' }).getByText('Thanks').waitFor();
    await expectNoInjection(page);
  });

  it('the sandbox in the dashboard answers as a customer whom an employee calls', async () => {
    await succeeded(sandbox(stack, 'PUT', `/phones/${company.owner.id}`, { online: true }));
    const phone = section('Answer as a customer');
    await phone.getByLabel('Customer’s phone').fill('+4520304097');
    const dial = { business_number_id: number.id, to: '+4520304097' };
    await waitUntil(
      async () => (await sandbox(stack, 'POST', `/phones/${company.owner.id}/dial`, dial)).status === 201,
      { what: 'the call' },
    );
    await phone.getByRole('button', { name: 'Answer' }).click();
    await phone.getByText('Connected', { exact: true }).waitFor();
    await phone.getByRole('button', { name: 'Hang up' }).click();
    await phone.getByText('No call rings at this number.').waitFor();
    await sandbox(stack, 'PUT', `/phones/${company.owner.id}`, { online: false });
  });

  it('the sandbox in the dashboard sets and clears faults', async () => {
    // Faults are everybody's: other tests run at the same time.
    const works = { sms_submit: 'ok', code: null, switch: 'up', speech: 'ok', integrations: 'ok' };
    let set: object = works;
    await page.route('**/faults', async (route) => {
      const method = route.request().method();
      if (method === 'OPTIONS') return route.continue();
      if (method === 'PUT') set = { ...set, ...(route.request().postDataJSON() as object) };
      if (method === 'DELETE') set = works;
      const headers = { 'access-control-allow-origin': new URL(stack.base_url).origin };
      return method === 'DELETE' ? route.fulfill({ status: 204, headers }) : route.fulfill({ json: set, headers });
    });
    const faults = section('Faults');
    await faults.getByLabel('Text provider').selectOption('reject');
    await faults.getByLabel('Error code of the provider').fill('40301');
    await faults.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Faults: saved.').waitFor();
    expect(set).toEqual({ ...works, sms_submit: 'reject', code: '40301' });
    await faults.getByRole('button', { name: 'Clear all faults' }).click();
    await page.getByText('Everything works again.').waitFor();
    expect(set).toBe(works);
    await waitForValue(faults.getByLabel('Text provider'), 'ok');
  });

  it('the sandbox in the dashboard moves the clock and keeps what was chosen when that fails', async () => {
    const clock = section('Move the clock');
    // The clock is everybody's: other tests run at the same time.
    const asked: unknown[] = [];
    await page.route('**/clock/advance', (route) => {
      asked.push(route.request().postDataJSON());
      return asked.length === 1
        ? route.fulfill({
            status: 503,
            json: { error: 'clock_not_settled' },
            headers: { 'access-control-allow-origin': '*' },
          })
        : route.fulfill({ json: { now: new Date().toISOString() }, headers: { 'access-control-allow-origin': '*' } });
    });
    browser.expectProblems(/Failed to load resource/);
    await clock.getByLabel('Forward by').fill('2');
    await clock.getByLabel('Unit').selectOption({ label: 'hours' });
    await clock.getByRole('button', { name: 'Move the clock' }).click();
    await clock.getByRole('alert').getByText('Try again').waitFor();
    await clock.getByRole('button', { name: 'Move the clock' }).click();
    await page.getByText('The clock was moved.').waitFor();
    expect(asked).toEqual([{ seconds: 7200 }, { seconds: 7200 }]);
  });

  it('the sandbox in the dashboard is accessible, on a small screen too', async () => {
    await expectUsable(page);
  });
});
