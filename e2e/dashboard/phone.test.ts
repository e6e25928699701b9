import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import type { Page } from 'playwright-core';
import { type Employee, openPhoneCompany, type PhoneCompany } from '../calls/phone-company.ts';
import { PASSWORD } from '../identity/people.ts';
import { browserPath } from '../identity/real-browser.ts';
import { operate, succeeded } from '../support/api.ts';
import {
  dashboardBrowser,
  describeInBrowser,
  expectAccessible,
  expectNoInjection,
  expectNoSidewaysScroll,
  INJECTION,
  PHONE_SCREEN,
} from './dashboard-browser.ts';

const CALLER = '+4520304050';
const LIMIT = { timeout: 45_000 };

const browser = dashboardBrowser();
let company: PhoneCompany;
let ada: Employee;
let bo: Employee;
let number: string;
let adasPage: Page;

beforeAll(async () => {
  if (browserPath === undefined) return;
  company = await openPhoneCompany();
  [ada, bo] = [await company.hire('Ada', false), await company.hire('Bo', false)];
  for (const { id } of [ada, bo])
    await succeeded(operate(company.stack, 'PUT', `/employees/${id}/password`, { password: PASSWORD }));
  number = await company.number({ type: 'TransferConfig', employee_ids: [ada.id] }, { details: { name: 'Support' } });
  const contact = { phone: CALLER, name: 'Carl Customer', note: INJECTION };
  await succeeded(company.company.call('POST', '/contacts', contact));
  adasPage = await browser.signIn(ada, '/dashboard/settings');
});

const phoneOf = (page: Page) => page.getByRole('region', { name: 'Phone' });
const currentCall = (page: Page) => page.getByRole('region', { name: 'Current call' });
const incomingCall = (page: Page) => page.getByRole('alertdialog', { name: 'Incoming call' });
const muted = (page: Page) => phoneOf(page).getByRole('button', { name: 'Mute', exact: true, pressed: true });
const button = (page: Page, name: string) => phoneOf(page).getByRole('button', { name, exact: true });

async function makeAvailable(page: Page, employee: Employee): Promise<void> {
  const available = phoneOf(page).getByRole('switch', { name: 'Available for calls' });
  if ((await available.getAttribute('aria-checked')) === 'false') await available.click();
  await company.status(employee, 'available');
}

async function answeredCall(): Promise<string> {
  const leg = await company.dial(number);
  await button(adasPage, 'Answer').click(LIMIT);
  await currentCall(adasPage).waitFor(LIMIT);
  await company.legState(leg, 'connected');
  return leg;
}

describeInBrowser('the softphone', () => {
  beforeEach(() => makeAvailable(adasPage, ada));

  it('the softphone shows who calls, answers, mutes, sends keys and hangs up', async () => {
    const leg = await company.dial(number);
    const dialog = incomingCall(adasPage);
    await dialog.waitFor(LIMIT);
    for (const text of ['Carl Customer', CALLER, 'Support']) await dialog.getByText(text).first().waitFor();
    await expectNoInjection(adasPage);
    await expectAccessible(adasPage);
    await button(adasPage, 'Answer').click();
    await currentCall(adasPage).getByRole('timer').filter({ hasText: /[1-9]/ }).waitFor(LIMIT);
    await button(adasPage, 'Mute').click();
    await muted(adasPage).waitFor();
    await button(adasPage, 'Mute').click();
    await button(adasPage, 'Keypad').click();
    await button(adasPage, '5').click();
    const second = await company.dial(number, '+4520304098');
    await currentCall(adasPage).getByRole('status').filter({ hasText: '+45 20 30 40 98 waits' }).waitFor(LIMIT);
    await expectAccessible(adasPage);
    await company.hangUp(second);
    await adasPage.keyboard.press('Escape');
    await button(adasPage, '5').waitFor({ state: 'detached' });
    await button(adasPage, 'Hang up').click();
    await company.legState(leg, 'ended');
    await phoneOf(adasPage).getByLabel('Number to call').waitFor();
    const ended = adasPage.getByRole('region', { name: 'Call ended' });
    await ended.getByRole('button', { name: 'Add a note' }).click(LIMIT);
    await ended.getByRole('textbox', { name: 'Note' }).fill('Wants a call back');
    await ended.getByRole('button', { name: 'Save' }).click();
    await waitUntil(async () => (await company.call(await company.callOf(leg))).note === 'Wants a call back', {
      what: 'the note of the call',
    });
    await expectAccessible(adasPage);
    await ended.getByRole('button', { name: 'Close' }).click();
    await ended.waitFor({ state: 'detached' });
  });

  it('the softphone declines; another window says that a call was answered elsewhere', async () => {
    const declined = await company.dial(number);
    await button(adasPage, 'Decline').click(LIMIT);
    await incomingCall(adasPage).waitFor({ state: 'detached', ...LIMIT });
    await company.hangUp(declined);
    await company.waitUntilIdle(ada);

    const window = await browser.openWindow(adasPage, '/dashboard/settings');
    await phoneOf(window).getByText('This browser takes calls.').waitFor(LIMIT);
    const leg = await company.dial(number);
    await Promise.all([incomingCall(adasPage).waitFor(LIMIT), incomingCall(window).waitFor(LIMIT)]);
    await button(window, 'Answer').click();
    await phoneOf(adasPage).getByText('The call was answered elsewhere.').waitFor(LIMIT);
    await button(window, 'Hang up').click();
    await company.legState(leg, 'ended');
    await window.close();
  });

  it('the softphone returns to its call after a reload; forms of the account do not interrupt it', async () => {
    const leg = await answeredCall();
    await adasPage.evaluate('globalThis.isSameDocument = true');
    await adasPage.getByRole('main').getByRole('link', { name: 'API keys' }).click();
    await adasPage.getByLabel('Name').fill('Webshop');
    await adasPage.getByRole('button', { name: 'Create key' }).click();
    await adasPage.getByLabel('New API key').waitFor();
    expect(await adasPage.evaluate('globalThis.isSameDocument')).toBe(true);
    await adasPage.goBack();
    await button(adasPage, 'Mute').click();
    const held = (isHeld: boolean) =>
      currentCall(adasPage).getByRole('button', { name: 'Hold', exact: true, pressed: isHeld });
    await held(false).click(LIMIT);
    await held(true).waitFor(LIMIT);
    await currentCall(adasPage).getByText('On hold').waitFor(LIMIT);
    await expectAccessible(adasPage);
    await adasPage.reload();
    await currentCall(adasPage).getByRole('timer').waitFor(LIMIT);
    await muted(adasPage).waitFor();
    await held(true).click(LIMIT);
    await held(false).waitFor(LIMIT);
    await button(adasPage, 'Pause recording').click(LIMIT);
    await currentCall(adasPage).getByText('Not recorded').waitFor(LIMIT);
    await company.state(await company.callOf(leg), 'bridged');
    await button(adasPage, 'Hang up').click();
    await company.legState(leg, 'ended');
  });

  it('the softphone answers a second caller, with the first one on hold, and changes between them', async () => {
    const waiting = (isOn: boolean) => company.company.call('PATCH', `/employees/${ada.id}`, { call_waiting: isOn });
    await succeeded(waiting(true));
    const first = await answeredCall();
    const second = await company.dial(number, '+4520304061');
    const dialog = phoneOf(adasPage).getByRole('alertdialog', { name: 'Second call' });
    await dialog.getByRole('button', { name: 'Answer and hold' }).click(LIMIT);
    const held = phoneOf(adasPage).getByRole('region', { name: 'Call on hold' });
    await held.getByText('Carl Customer').waitFor(LIMIT);
    await currentCall(adasPage).getByText('+4520304061').first().waitFor(LIMIT);
    await waitUntil(async () => (await company.call(await company.callOf(first))).on_hold, {
      what: 'the first on hold',
    });
    await expectAccessible(adasPage);
    await held.getByRole('button', { name: 'Resume' }).click();
    await held.getByText('+4520304061').waitFor(LIMIT);
    await waitUntil(async () => (await company.call(await company.callOf(second))).on_hold, {
      what: 'the second on hold',
    });
    await adasPage.reload();
    await held.getByText('+4520304061').waitFor(LIMIT);
    await currentCall(adasPage).getByRole('timer').waitFor(LIMIT);
    await company.state(await company.callOf(first), 'bridged');
    await company.hangUp(first);
    await currentCall(adasPage).getByText('+4520304061').first().waitFor(LIMIT);
    await button(adasPage, 'Hang up').click();
    await company.legState(second, 'ended');
    await succeeded(waiting(false));
  });

  it('the softphone calls a number', async () => {
    const to = '+4530123457';
    await phoneOf(adasPage).getByLabel('Number to call').fill('+45 30 12 34 57');
    await button(adasPage, 'Call').click();
    const remote = await waitUntil(
      async () => {
        const { body } = await company.sandbox('GET', `/subscribers/${encodeURIComponent(to)}/legs`);
        return body[0]?.leg_id as string | undefined;
      },
      { what: 'the other side rings' },
    );
    await company.sandbox('POST', `/legs/${remote}/answer`);
    await currentCall(adasPage).getByRole('timer').waitFor(LIMIT);
    await company.hangUp(remote);
    await currentCall(adasPage).waitFor({ state: 'detached', ...LIMIT });
  });

  it('the softphone transfers a call to a coworker in another browser', async () => {
    const bosPage = await browser.signIn(bo, '/dashboard/settings', { viewport: PHONE_SCREEN });
    await makeAvailable(bosPage, bo);
    await expectNoSidewaysScroll(bosPage);
    const leg = await answeredCall();
    await button(adasPage, 'Transfer').click(LIMIT);
    await phoneOf(adasPage).getByLabel('Transfer to').selectOption('Bo');
    await button(adasPage, 'Start transfer').click();
    await incomingCall(bosPage).getByText('transferred by Ada').waitFor(LIMIT);
    await button(bosPage, 'Answer').click(LIMIT);
    await phoneOf(adasPage).getByText('In conversation with Bo.').waitFor(LIMIT);
    await button(adasPage, 'Complete transfer').click();
    await currentCall(adasPage).waitFor({ state: 'detached', ...LIMIT });
    await currentCall(bosPage).getByRole('timer').waitFor(LIMIT);
    await company.hangUp(leg);
    await currentCall(bosPage).waitFor({ state: 'detached', ...LIMIT });
  });

  it('the softphone lets an admin listen in, whisper and join', async () => {
    const { owner } = company.company;
    await succeeded(operate(company.stack, 'PUT', `/employees/${owner.id}/password`, { password: PASSWORD }));
    await succeeded(company.company.call('PATCH', '/company', { supervision_enabled: true }));
    const leg = await answeredCall();
    const page = await browser.signIn(owner, `/dashboard/calls/${await company.callOf(leg)}`);
    const supervision = page.getByRole('region', { name: 'Supervision' });
    const press = (name: string) => supervision.getByRole('button', { name, exact: true }).click(LIMIT);
    await press('Listen in');
    await page.getByText('None of your phones can ring now.').waitFor(LIMIT);
    await phoneOf(page).getByRole('switch', { name: 'Available for calls' }).click();
    await company.status(owner, 'available');
    await press('Listen in');
    await supervision.getByText('Your phone is ringing: answer it.').waitFor(LIMIT);
    await button(page, 'Answer').click(LIMIT);
    await supervision.getByText('Nobody hears you.').waitFor(LIMIT);
    await expectAccessible(page);
    await press('Whisper');
    await supervision.getByText('Only the employee hears you.').waitFor(LIMIT);
    await press('Join');
    await supervision.getByText('Both sides hear you.').waitFor(LIMIT);
    await press('Stop');
    await currentCall(page).waitFor({ state: 'detached', ...LIMIT });
    await company.state(await company.callOf(leg), 'bridged');
    await button(adasPage, 'Hang up').click();
    await company.legState(leg, 'ended');
    await page.context().close();
  });

  it('the softphone is not available any more when switched off, also after a reload', async () => {
    await phoneOf(adasPage).getByRole('switch', { name: 'Available for calls' }).click();
    await company.status(ada, 'logged_out');
    await adasPage.reload();
    await phoneOf(adasPage).getByRole('switch', { name: 'Available for calls', checked: false }).waitFor();
  });
});
