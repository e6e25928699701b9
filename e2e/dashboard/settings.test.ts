import { createECDH } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import { PASSWORD } from '../identity/people.ts';
import { startTexting } from '../messages/texting.ts';
import { createTestCompany, operate, sharedStack, succeeded } from '../support/api.ts';
import {
  dashboardBrowser,
  describeInBrowser,
  expectAccessible,
  expectNoInjection,
  expectNoSidewaysScroll,
  expectUsable,
  INJECTION,
  PHONE_SCREEN,
  tabTo,
  waitForValue,
} from './dashboard-browser.ts';

const browser = dashboardBrowser();

describeInBrowser('the settings in the dashboard', () => {
  it('the settings in the dashboard change the company with the keyboard alone, on a small screen', async () => {
    const company = await createTestCompany();
    const page = await browser.signIn(company.owner, '/dashboard/settings', { viewport: PHONE_SCREEN });
    await tabTo(page.getByLabel('Address'));
    await page.keyboard.type(INJECTION);
    await tabTo(page.getByRole('button', { name: 'Save' }));
    await page.keyboard.press('Enter');
    await page.getByText('Company saved.').waitFor();
    expect((await company.call('GET', '/company')).body.address).toBe(INJECTION);
    await page.reload();
    await waitForValue(page.getByLabel('Address'), INJECTION);
    await expectNoInjection(page);
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });

  it('the settings in the dashboard keep what was typed when the API fails, and say what to do', async () => {
    const company = await createTestCompany();
    const page = await browser.signIn(company.owner, '/dashboard/settings/');
    expect(new URL(page.url()).pathname).toBe('/dashboard/settings');
    await page.getByLabel('City').fill('Aarhus');
    await page.route('**/api/v1/company', (route) => route.fulfill({ status: 503, json: { error: 'unavailable' } }));
    await page.getByRole('button', { name: 'Save' }).click();
    expect(await page.getByRole('alert').innerText()).toContain('Try again');
    await page.unroute('**/api/v1/company');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Company saved.').waitFor();
    expect((await company.call('GET', '/company')).body.city).toBe('Aarhus');

    await page.getByRole('link', { name: 'Security' }).click();
    await page.getByLabel('One-time code').fill('000000');
    browser.expectProblems(/status of 422/);
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page.getByRole('region', { name: 'Phone' }).waitFor();
    await page.getByText('That code is wrong.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/dashboard/security');
  });

  it('the settings in the dashboard confirm a new address and change the password, both after the current password', async () => {
    const company = await createTestCompany();
    const email = `new.${Math.random().toString(36).slice(2)}@example.com`;
    await succeeded(company.call('PATCH', `/employees/${company.owner.id}`, { email }));
    const page = await browser.signIn(company.owner, '/dashboard/security');
    await waitUntil(
      async () => {
        await page.reload();
        await page.getByLabel('One-time code').waitFor();
        return (await page.getByText(email).count()) > 0;
      },
      { what: 'the new address on the page' },
    );
    await page.getByLabel('Your password').fill(PASSWORD);
    // What was confirmed is read again, and gone.
    browser.expectProblems(/status of 404/);
    await page.getByRole('button', { name: 'Confirm new address' }).click();
    await page.getByLabel('Your password').waitFor({ state: 'detached' });
    expect((await company.call('GET', `/employees/${company.owner.id}`)).body).toMatchObject({
      email,
      email_confirmation_pending: false,
    });

    await page.goto('/dashboard/password');
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByLabel('New password', { exact: true }).fill('another good password');
    await page.getByLabel('Repeat new password').fill('a different one');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('The two new passwords are not the same.').waitFor();
    await page.getByLabel('Repeat new password').fill('another good password');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Your password is changed.').waitFor();
  });

  it('the settings in the dashboard show admins who changed what, and let them download it; members do not see it', async () => {
    const company = await createTestCompany();
    const email = `bo.${process.pid}.${Math.random().toString(36).slice(2)}@example.com`;
    const { body: bo } = await succeeded(company.call('POST', '/employees', { name: INJECTION, email }));
    await succeeded(company.call('PATCH', '/company', { city: 'Aarhus' }));
    await waitUntil(
      async () => (await company.call('GET', '/audit_events?type=company.updated')).body.audit_events.length > 0,
      { what: 'the change in the log', timeoutMs: 60_000 },
    );
    const page = await browser.signIn(company.owner, '/dashboard/settings');
    await page.getByRole('link', { name: 'Activity log' }).click();
    const entries = page.getByRole('list', { name: 'Activity log' }).getByRole('listitem');
    await entries.filter({ hasText: `Employee added: ${INJECTION}` }).waitFor();
    await page.getByLabel('What happened').selectOption({ label: 'Company changed' });
    await page.getByText(`Employee added: ${INJECTION}`).waitFor({ state: 'detached' });
    await entries.filter({ hasText: 'City: Aarhus' }).first().waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download as CSV' }).click();
    const csv = await readFile(await (await downloading).path(), 'utf8');
    expect(csv).toContain('company.updated');
    expect(csv).not.toContain('employee.created');
    await page.getByLabel('Last day').fill('2020-01-01');
    await page.getByText('Nothing fits these filters.').waitFor();
    await page.getByLabel('Last day').fill('');
    await entries.first().waitFor();
    await expectUsable(page);
    await expectNoInjection(page);

    await succeeded(operate(sharedStack(), 'PUT', `/employees/${bo.id}/password`, { password: PASSWORD }));
    const other = await browser.signIn({ email }, '/dashboard/settings');
    await other.getByRole('link', { name: 'Sessions' }).waitFor();
    expect(await other.getByRole('link', { name: 'Activity log' }).count()).toBe(0);
    expect(await other.getByRole('link', { name: 'Privacy' }).count()).toBe(0);
    await other.goto('/dashboard/settings/activity');
    await other.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
  });

  it('the settings in the dashboard erase a person after the number was typed twice, and show how far that is, also after a reload', async () => {
    const company = await createTestCompany();
    const phone = '+4520304061';
    await succeeded(company.call('POST', '/contacts', { phone, name: 'Ane Jensen' }));
    const page = await browser.signIn(company.owner, '/dashboard/settings', { viewport: PHONE_SCREEN });
    await page.getByRole('link', { name: 'Privacy' }).click();
    await page.getByLabel('Number of the person').fill(phone);
    await page.getByRole('button', { name: 'Export this person' }).click();
    const [archive] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the archive' }).click(),
    ]);
    expect(archive.suggestedFilename()).toMatch(/\.zip$/);
    const erase = page.getByRole('button', { name: 'Erase this person' });
    await page.getByLabel('Phone number').fill(phone);
    await page.getByLabel('Type the number again to confirm').fill('+4520304062');
    expect(await erase.isDisabled()).toBe(true);
    await page.getByLabel('Type the number again to confirm').fill(phone);
    await erase.click();
    const parts = page.getByRole('list', { name: 'Progress' }).getByRole('listitem');
    await page.getByText('The person is erased.').waitFor({ timeout: 60_000 });
    await parts.filter({ hasText: 'Contact' }).filter({ hasText: 'Done' }).waitFor();
    expect((await succeeded(company.call('GET', '/contacts'))).text).not.toContain(phone);
    await page.reload();
    await page.getByText('The person is erased.').waitFor();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await page.getByLabel('Phone number').fill('x');
    await page.getByLabel('Type the number again to confirm').fill('x');
    await erase.click();
    await page.locator('[data-field-error]').waitFor();
  });

  it('the settings in the dashboard turn on push messages for this browser, whose worker shows them and leads to the thread', async () => {
    const stack = sharedStack();
    const { company, receive } = await startTexting(stack);
    const page = await browser.signIn(company.owner, '/dashboard/settings', { permissions: ['notifications'] });
    // Chromium without a Google account has no push service: the sandbox is the one of this browser.
    const keys = { p256dh: createECDH('prime256v1').generateKeys('base64url'), auth: 'AAAAAAAAAAAAAAAAAAAAAA' };
    const described = JSON.stringify({ endpoint: `${stack.sandbox_url}/unknown`, keys });
    await page.evaluate(`PushManager.prototype.subscribe = async () => ({ toJSON: () => (${described}) })`);
    await page.getByRole('link', { name: 'Notifications' }).click();
    const section = page.getByRole('region', { name: 'Push messages' });
    await section.getByRole('switch', { name: 'Show push messages in this browser' }).click();
    await section.getByText('Chrome on Linux (this one)').waitFor();
    await section.getByRole('switch', { name: 'Texts' }).click();
    const settings = async () => (await company.call('GET', `/employees/${company.owner.id}/notifications`)).body.text;
    await waitUntil(async () => (await settings()).push, { what: 'the wish to be stored', timeoutMs: 60_000 });
    await expectAccessible(page);

    const from = '+4520304063';
    const devTools = await page.context().newCDPSession(page);
    const registered = new Promise<string>((resolve) =>
      devTools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        if (registrations[0]) resolve(registrations[0].registrationId);
      }),
    );
    await devTools.send('ServiceWorker.enable');
    const data = JSON.stringify({ type: 'text', title: 'New text', body: from, phone_number: from });
    const origin = new URL(stack.base_url).origin;
    const registrationId = await registered;
    const push = () => devTools.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
    const shown = () =>
      page.evaluate(`navigator.serviceWorker.ready.then((worker) => worker.getNotifications())
        .then((all) => all.map(({ title, body, tag }) => ({ title, body, tag })))`) as Promise<object[]>;
    // The browser drops what arrives before its worker is active.
    const pushed = async () => push().then(shown);
    await waitUntil(async () => (await pushed()).length > 0, { what: 'the notification', timeoutMs: 60_000 });
    expect(await shown()).toEqual([{ title: 'New text', body: from, tag: from }]);
    const [worker] = page.context().serviceWorkers();
    await worker!.evaluate(`registration.getNotifications().then(([notification]) =>
      void dispatchEvent(new NotificationEvent('notificationclick', { notification })))`);
    await page.waitForURL(`**/dashboard/inbox/${encodeURIComponent(from)}`);

    // The push service does not know the browser any more.
    await receive({ from, text: 'Hello' });
    const added = async () => (await company.call('GET', '/push_subscriptions')).body.push_subscriptions;
    await waitUntil(async () => (await added()).length === 0, { what: 'the browser to be removed', timeoutMs: 60_000 });
  });
});
