import { beforeAll, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import type { Page } from 'playwright-core';
import { type Company, createTestCompany, succeeded } from '../support/api.ts';
import { type Hook, openHook } from '../webhooks/hooks.ts';
import {
  dashboardBrowser,
  describeInBrowser,
  expectAccessible,
  expectNoInjection,
  expectNoSidewaysScroll,
  INJECTION,
  PHONE_SCREEN,
  tabTo,
} from './dashboard-browser.ts';

const browser = dashboardBrowser();

describeInBrowser('the webhooks in the dashboard', () => {
  let company: Company;
  let hook: Hook;
  let page: Page;

  beforeAll(async () => {
    company = await createTestCompany();
    hook = openHook(company);
    page = await browser.signIn(company.owner, '/dashboard/webhooks');
  });

  const webhooks = async () => (await company.call('GET', '/webhooks')).body;

  it('the webhooks in the dashboard are created for every event with the keyboard alone, and show the secret once', async () => {
    await tabTo(page.getByRole('button', { name: 'New webhook' }));
    await page.keyboard.press('Enter');
    await tabTo(page.getByLabel('Name'));
    await page.keyboard.type(INJECTION);
    await tabTo(page.getByLabel('URL'));
    await page.keyboard.type('http://example.com');
    await page.keyboard.press('Enter');
    await page.getByText('Must be an https URL.', { exact: true }).waitFor();
    await page.getByLabel('URL').fill(hook.url);
    for (const event of await page.getByRole('checkbox').all()) await event.check();
    await expectAccessible(page);
    await tabTo(page.getByRole('button', { name: 'Create webhook' }));
    await page.keyboard.press('Enter');
    expect(await page.getByLabel('Secret').inputValue()).toMatch(/^whsec_/);
    const [created] = await webhooks();
    expect(created).toMatchObject({ name: INJECTION, url: hook.url, active: true });
    expect(created.events).toHaveLength(26);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: INJECTION }).click();
    expect(await page.getByLabel('Secret', { exact: true }).count()).toBe(0);
  });

  it('the webhooks in the dashboard are tried, with what the receiver answered as text, and sent again', async () => {
    await hook.answer([{ status: 500, body: INJECTION }]);
    await page.getByRole('button', { name: 'Send test' }).click();
    const delivery = page.getByRole('row').filter({ hasText: 'webhook.test' });
    // It is tried again by itself after five seconds, which may be over by now.
    await delivery.getByText('Status 500').first().waitFor();
    await delivery.getByText('Will be tried again').waitFor();
    await delivery.getByRole('button', { name: 'webhook.test' }).click();
    const attempts = page.getByRole('dialog', { name: 'webhook.test' });
    await attempts.getByText(INJECTION).first().waitFor();
    await attempts.getByRole('button', { name: 'Close' }).click();
    await hook.answer([200]);
    await delivery.getByRole('button', { name: 'Send again' }).click();
    await delivery.getByText('Delivered').waitFor();
    await delivery.getByText('Status 200').first().waitFor();
    await expectNoInjection(page);
    await expectAccessible(page);
  });

  it('the webhooks in the dashboard have what has failed sent again', async () => {
    await page.getByRole('button', { name: 'Send failed again' }).click();
    await page.getByText('No delivery has failed.').waitFor();
    // Nothing fails for good within a test.
    await page.route('**/deliveries/retry', (route) => route.fulfill({ status: 202, json: { count: 3 } }));
    await page.getByRole('button', { name: 'Send failed again' }).click();
    await page.getByText('3 deliveries are being sent again.').waitFor();
    await page.unroute('**/deliveries/retry');
  });

  it('the webhooks in the dashboard are changed, paused and resumed, and get a new secret', async () => {
    const subscription = page.getByRole('region', { name: 'Subscription' });
    await subscription.getByLabel('Name').fill('');
    await subscription.getByRole('button', { name: 'Save' }).click();
    await subscription.getByText('Must not be blank.', { exact: true }).waitFor();
    await subscription.getByLabel('Name').fill('CRM');
    await subscription.getByRole('checkbox', { name: 'call.queued' }).uncheck();
    await subscription.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'CRM' }).waitFor();
    expect((await webhooks())[0].events).not.toContain('call.queued');
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await succeeded(company.call('POST', '/contacts', { name: 'Grace', phone: '+4520304050' }));
    await page.reload();
    await waitUntil(
      async () => {
        const { deliveries } = (await company.call('GET', `/webhooks/${(await webhooks())[0].id}/deliveries`)).body;
        return deliveries.some((delivery: { status: string }) => delivery.status === 'held');
      },
      { what: 'a held delivery' },
    );
    // The contact, and the entry of the audit log about the pause.
    await page.getByText('Held while the webhook is paused').first().waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate secret' }).click();
    expect(await page.getByLabel('Secret', { exact: true }).inputValue()).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.setViewportSize(PHONE_SCREEN);
    await expectNoSidewaysScroll(page);
  });

  it('the webhooks in the dashboard load their deliveries as one scrolls', async () => {
    const [{ id }] = await webhooks();
    const delivery = (number: number) => ({
      id: `whd_${number}`,
      event: `call.ended ${number}`,
      status: 'failed',
      created_at: '2026-01-01T00:00:00Z',
      next_attempt_at: null,
      attempts: [
        { at: '2026-01-01T00:00:00Z', status_code: null, error: 'timeout', duration_ms: 9000, response_excerpt: null },
      ],
    });
    const pages = (cursor: string | null) =>
      cursor === null
        ? { deliveries: Array.from({ length: 50 }, (_, index) => delivery(index)), next_cursor: 'second' }
        : { deliveries: [delivery(50)], next_cursor: null };
    await page.route('**/deliveries*', (route) =>
      route.fulfill({ json: pages(new URL(route.request().url()).searchParams.get('cursor')) }),
    );
    await page.goto(`/dashboard/webhooks/${id}`);
    await page.getByText('call.ended 49').scrollIntoViewIfNeeded();
    await page.getByText('call.ended 50').waitFor();
    await page.unroute('**/deliveries*');
  });

  it('the webhooks in the dashboard are deleted after a question', async () => {
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    expect(await webhooks()).toHaveLength(1);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete webhook' }).click();
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    expect(await webhooks()).toEqual([]);
  });

  it('the webhooks in the dashboard of another company are not found', async () => {
    const other = await createTestCompany();
    const body = { name: 'Other', url: openHook(other).url, events: ['call.ended'] };
    const { id } = (await succeeded(other.call('POST', '/webhooks', body))).body;
    for (const address of [id, 'unknown']) {
      await page.goto(`/dashboard/webhooks/${address}`);
      await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
    }
  });
});
