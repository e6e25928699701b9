import { beforeAll, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import type { Page } from 'playwright-core';
import { createNumber } from '../business-numbers/create-number.ts';
import { type Company, createTestCompany, succeeded } from '../support/api.ts';
import {
  dashboardBrowser,
  describeInBrowser,
  expectAccessible,
  expectNoInjection,
  expectUsable,
  INJECTION,
  PHONE_SCREEN,
  region,
  save,
  tabTo,
  waitForFocus,
  waitForValue,
  waitUntilSaved,
} from './dashboard-browser.ts';

const browser = dashboardBrowser();

describeInBrowser('the numbers in the dashboard', () => {
  let company: Company;
  let employee: { id: string; name: string };
  let id: string;
  let page: Page;

  beforeAll(async () => {
    company = await createTestCompany(undefined, { messaging_enabled: true });
    const details = { name: INJECTION, email: `e.${company.id}@example.com` };
    employee = (await succeeded(company.call('POST', '/employees', details))).body;
    id = (await createNumber(company, { name: 'Support' })).body.id;
    page = await browser.signIn(company.owner, '/dashboard/numbers');
    await page.getByRole('link', { name: 'Support' }).click();
    await page.getByRole('heading', { level: 1, name: 'Support' }).waitFor();
  });

  const section = (name: string) => region(page, name);
  const saved = async () => (await company.call('GET', `/business_numbers/${id}`)).body;

  it.each([
    ['WelcomeTransferConfig', 'Welcome', { welcome: INJECTION }],
    ['RejectConfig', 'Message', { message: INJECTION }],
    ['VoicemailConfig', 'Greeting', { greeting: INJECTION }],
  ])('the numbers in the dashboard are routed by a %s', async (type, field, expected) => {
    const incoming = section('Incoming calls');
    await incoming.getByLabel('Routing').selectOption(type);
    await incoming.getByLabel(field).fill(INJECTION);
    if (type === 'WelcomeTransferConfig')
      await incoming.getByRole('checkbox', { name: 'Olivia Owner' }).setChecked(true);
    await save(page, 'Incoming calls');
    expect((await saved()).incoming_call_config).toMatchObject({ type, ...expected });
    await expectNoInjection(page);
  });

  it('the numbers in the dashboard are routed to employees without a word', async () => {
    const incoming = section('Incoming calls');
    await incoming.getByLabel('Routing').selectOption('TransferConfig');
    await incoming.getByRole('checkbox', { name: 'Olivia Owner' }).setChecked(true);
    await incoming.getByRole('checkbox', { name: employee.name, exact: true }).setChecked(true);
    await save(page, 'Incoming calls');
    const { employee_ids: ids } = (await saved()).incoming_call_config;
    expect(new Set(ids)).toEqual(new Set([company.owner.id, employee.id]));
  });

  it('the numbers in the dashboard are routed by a menu, with the API’s messages at the fields', async () => {
    const incoming = section('Incoming calls');
    await incoming.getByLabel('Routing').selectOption('PhoneMenuConfig');
    await incoming.getByLabel('Welcome').fill('Press a key');
    for (const action of ['TransferConfig', 'WelcomeTransferConfig', 'VoicemailConfig', 'PlayMessageConfig']) {
      await incoming.getByRole('button', { name: 'Add option' }).click();
      const option = incoming.getByRole('group', { name: /^Option/ }).last();
      await option.getByLabel('Action').selectOption(action);
      if (action !== 'TransferConfig') await option.getByLabel('Prompt').fill(`Prompt of ${action}`);
      if (action.endsWith('TransferConfig')) await option.getByRole('checkbox', { name: 'Olivia Owner' }).check();
    }
    const second = incoming.getByRole('group', { name: /^Option/ }).nth(1);
    await second.getByLabel('Key').fill('1');
    await incoming.getByRole('button', { name: 'Save' }).click();
    await second.getByText('Has already been taken.').waitFor();
    expect(await second.getByLabel('Key').getAttribute('aria-invalid')).toBe('true');
    await second.getByLabel('Key').fill('7');
    // Further data must not replace what is being edited.
    await succeeded(company.call('PATCH', `/business_numbers/${id}`, { name: 'Sales' }));
    await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))');
    await save(page, 'Incoming calls');
    expect((await saved()).incoming_call_config.menu_options).toMatchObject([
      { digit: '1', action_type: 'TransferConfig', employee_ids: [company.owner.id] },
      { digit: '7', action_type: 'WelcomeTransferConfig', prompt: 'Prompt of WelcomeTransferConfig' },
      { digit: '3', action_type: 'VoicemailConfig', prompt: 'Prompt of VoicemailConfig' },
      { digit: '4', action_type: 'PlayMessageConfig', prompt: 'Prompt of PlayMessageConfig' },
    ]);
    await page.getByRole('heading', { level: 1, name: 'Sales' }).waitFor();
  });

  it('the numbers in the dashboard have other routes outside business hours and without an answer, and can do without', async () => {
    const outside = section('Outside business hours');
    await outside.getByLabel('Routing').selectOption('RejectConfig');
    await outside.getByLabel('Message').fill('We are closed');
    await save(page, 'Outside business hours');
    const noAnswer = section('No answer');
    await noAnswer.getByLabel('Waiting time').selectOption('30');
    await noAnswer.getByLabel('Routing').selectOption('VoicemailConfig');
    await noAnswer.getByLabel('Greeting').fill('Nobody is here');
    await save(page, 'No answer');
    expect(await saved()).toMatchObject({
      outside_business_hours_config: { type: 'RejectConfig', message: 'We are closed' },
      no_answer_config: { type: 'VoicemailConfig', greeting: 'Nobody is here' },
      no_answer_timeout_secs: 30,
    });
    await noAnswer.getByLabel('Waiting time').selectOption('');
    await noAnswer.getByLabel('Routing').selectOption('');
    await save(page, 'No answer');
    expect(await saved()).toMatchObject({ no_answer_config: null, no_answer_timeout_secs: null });
  });

  it('the numbers in the dashboard have business hours, and an explanation of what happens when, also before they are saved', async () => {
    const hours = section('Business hours');
    const saturday = hours.getByRole('group', { name: 'Saturday' });
    await page.getByLabel('What happens at').fill('2026-05-02T10:30');
    await page.getByText('Saturday the number is closed all day').waitFor();
    await saturday.getByRole('checkbox').check();
    await saturday.getByLabel('From').fill('10');
    await saturday.getByLabel('To').fill('9');
    await hours.getByRole('button', { name: 'Save' }).click();
    await saturday.getByText('opening_at is before closing_at').waitFor();
    await saturday.getByLabel('To').fill('24:00');
    await page.getByText('open from 10:00 to 24:00').waitFor();
    await page.getByText('Key 3: The caller hears “Prompt of VoicemailConfig” and can leave a voicemail.').waitFor();
    await save(page, 'Business hours');
    const { business_hours: days, outside_business_hours_config: outside } = await saved();
    expect(days[5]).toMatchObject({ open: true, opening_at: '10:00', closing_at: '24:00' });
    expect(outside).toMatchObject({ type: 'RejectConfig' });
  });

  it('the numbers in the dashboard have breaks, and days on which they are closed', async () => {
    const hours = section('Business hours');
    const monday = hours.getByRole('group', { name: 'Monday' });
    await monday.getByRole('button', { name: 'Add a break on Monday' }).click();
    await monday.getByLabel('Break to').fill('13');
    await save(page, 'Business hours');
    expect((await saved()).business_hours[0].breaks).toEqual([{ from: '12:00', to: '13:00' }]);
    const closed = section('Closed days');
    await closed.getByRole('button', { name: 'Add closed days' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add closed days' });
    await dialog.getByLabel('Name').fill('Inventory');
    await dialog.getByLabel('First day').fill('2026-05-04');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    const inventory = closed.getByRole('listitem').filter({ hasText: 'Inventory' });
    await page.getByLabel('What happens at').fill('2026-05-04T10:30');
    await section('Route explanation').getByText('Inventory').waitFor();
    await inventory.getByRole('button', { name: 'Remove' }).click();
    await inventory.waitFor({ state: 'detached' });
  });

  it('the page of a number draws the route, whose nodes lead to their forms, and saves several changes at once', async () => {
    const route = page.getByRole('group', { name: 'Route' });
    await route.getByRole('button', { name: /Menu/ }).click();
    await waitForFocus(section('Incoming calls').getByLabel('Routing'));
    await section('Outside business hours').getByLabel('Message').fill('Closed, and back tomorrow');
    await section('Business hours').getByRole('group', { name: 'Saturday' }).getByLabel('To').fill('16');
    await page.getByText('2 changes: Outside business hours, Business hours').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).first().click();
    await page.getByText('2 changes').waitFor({ state: 'detached' });
    await page.getByText('1 change').waitFor({ state: 'detached' });
    const { business_hours: days, outside_business_hours_config: outside } = await saved();
    expect(days[5]).toMatchObject({ closing_at: '16:00' });
    expect(outside).toMatchObject({ message: 'Closed, and back tomorrow' });
  });

  it('the numbers in the dashboard reply to texts, and keep what was typed when a save fails', async () => {
    const texting = section('Texting');
    await texting.getByLabel('Reply automatically').check();
    await texting.getByLabel('Minutes between').fill('5');
    await texting.getByRole('button', { name: 'Save' }).click();
    await texting.getByText('Must be 60 to 43200.').waitFor();
    await texting.getByText('Must not be blank while auto-reply is enabled.').waitFor();
    await texting.getByLabel('Reply', { exact: true }).fill('We open at nine');
    await texting.getByLabel('Minutes between').fill('60');
    await page.route('**/texting_settings', (route) => route.fulfill({ status: 503, json: { error: 'unavailable' } }));
    await texting.getByRole('button', { name: 'Save' }).click();
    await texting.getByRole('alert').getByText('Try again').waitFor();
    await page.unroute('**/texting_settings');
    await save(page, 'Texting');
    expect((await company.call('GET', `/business_numbers/${id}/texting_settings`)).body).toEqual({
      auto_reply_enabled: true,
      auto_reply_text: 'We open at nine',
      auto_reply_cooldown_minutes: 60,
    });
  });

  it('the numbers in the dashboard say that somebody else has changed what is being edited', async () => {
    const outside = section('Outside business hours');
    await outside.getByLabel('Message').fill('Closed for today');
    const other = { type: 'RejectConfig', message: 'Closed for the winter' };
    await succeeded(company.call('PUT', `/business_numbers/${id}/outside_business_hours_config`, other));
    // A save of another part reads everything again.
    await save(page, 'General');
    await outside.getByText('This was changed elsewhere').waitFor();
    expect(await outside.getByLabel('Message').inputValue()).toBe('Closed for today');
    await outside.getByRole('button', { name: 'Discard changes' }).click();
    await waitForValue(outside.getByLabel('Message'), 'Closed for the winter');
  });

  it('the numbers in the dashboard play a prompt', async () => {
    const outside = section('Outside business hours');
    await outside.getByRole('button', { name: 'Listen' }).click();
    const audio = outside.locator('audio');
    await audio.waitFor({ state: 'attached', timeout: 120_000 });
    await waitUntil(() => audio.evaluate((element) => (element as unknown as { duration: number }).duration > 0), {
      what: 'audio',
    });
  });

  it('the numbers in the dashboard are accessible, on a small screen too, with the keyboard alone', async () => {
    await expectUsable(page);
    await page.setViewportSize(PHONE_SCREEN);
    await page.getByRole('heading', { level: 1 }).focus();
    const routing = section('Incoming calls').getByLabel('Routing');
    await tabTo(routing);
    await page.keyboard.press('End');
    await tabTo(section('Incoming calls').getByLabel('Message'));
    await page.keyboard.press('Control+A');
    await page.keyboard.type('Call later');
    await tabTo(section('Incoming calls').getByRole('button', { name: 'Save' }));
    await page.keyboard.press('Enter');
    await waitUntilSaved(page, 'Incoming calls');
    expect((await saved()).incoming_call_config).toMatchObject({ type: 'RejectConfig', message: 'Call later' });
    await expectNoInjection(page);
  });

  it('the numbers in the dashboard of another company are not found', async () => {
    const other = (await createNumber(await createTestCompany())).body.id;
    for (const address of [other, 'unknown']) {
      await page.goto(`/dashboard/numbers/${address}`);
      await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
    }
  });

  it('the numbers in the dashboard say that texting is off for the company', async () => {
    const silent = await createTestCompany();
    const { id: number } = (await createNumber(silent)).body;
    const another = await browser.signIn(silent.owner, `/dashboard/numbers/${number}`);
    await another.getByRole('region', { name: 'Texting' }).getByText('Texting is off for your company.').waitFor();
  });
});
