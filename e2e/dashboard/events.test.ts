import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { beginRecording, whenRecorded } from '../events/read-events.ts';
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

describeInBrowser('the events in the dashboard', () => {
  let company: Company;
  let hook: Hook;
  let page: Page;

  beforeAll(async () => {
    company = await createTestCompany();
    hook = openHook(company);
    await beginRecording(company);
    const { body } = await succeeded(company.call('POST', '/contacts', { name: INJECTION, phone: '+4520304050' }));
    await succeeded(company.call('PATCH', `/contacts/${body.id}`, { name: 'Grace' }));
    await whenRecorded(company, { types: 'contact.created,contact.updated' }, 2);
    page = await browser.signIn(company.owner, '/dashboard/webhooks');
  });

  const table = () => page.getByRole('table', { name: 'Events' });
  const row = (type: string) => table().getByRole('row').filter({ hasText: type });

  it('the events in the dashboard are reached from the webhooks, and listed with what they are about', async () => {
    await page.getByRole('link', { name: 'Events' }).click();
    await page.waitForURL('**/dashboard/webhooks/events');
    await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor();
    await row('contact.created').getByText(INJECTION).waitFor();
    await row('contact.updated').getByText('Grace').waitFor();
    const headings = await table().getByRole('columnheader').allTextContents();
    expect(headings).toEqual(['Type', 'Subject', 'Time']);
    await expectNoInjection(page);
    await expectAccessible(page);
  });

  it('the events in the dashboard are chosen by their type and where they begin, which the address keeps', async () => {
    await page.getByRole('combobox', { name: 'Event type' }).click();
    await page.getByRole('option', { name: 'contact.updated' }).click();
    await row('contact.created').waitFor({ state: 'detached' });
    await row('contact.updated').waitFor();
    await page.getByLabel('From', { exact: true }).selectOption({ label: 'Last hour' });
    await page.waitForURL('**/events?type=contact.updated&from=hour');
    await page.reload();
    await row('contact.updated').waitFor();
    expect(await table().getByRole('row').count()).toBe(2);
    await page.goto('/dashboard/webhooks/events?type=call.lost');
    await page.getByText('No events here.').waitFor();
  });

  it('the events in the dashboard show their payload with the keyboard alone, which can be copied', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/dashboard/webhooks/events');
    await tabTo(page.getByRole('button', { name: 'contact.created' }));
    await page.keyboard.press('Enter');
    const sheet = page.getByRole('dialog', { name: 'contact.created' });
    const payload = JSON.parse((await sheet.getByRole('region', { name: 'Payload' }).textContent()) ?? '');
    const [created] = await whenRecorded(company, { types: 'contact.created' }, 1);
    const { id: _, ...body } = created!;
    expect(payload).toEqual(body);
    await sheet.getByText('Add a webhook to send this event to it.').waitFor();
    await sheet.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied.').waitFor();
    expect(JSON.parse((await page.evaluate('navigator.clipboard.readText()')) as string)).toEqual(body);
    await expectAccessible(page);
    await expectNoInjection(page);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
  });

  it('the events in the dashboard are sent to a webhook', async () => {
    const subscription = { name: 'CRM', url: hook.url, events: ['call.ended'] };
    await succeeded(company.call('POST', '/webhooks', subscription));
    await succeeded(company.call('POST', '/webhooks', { ...subscription, name: 'ERP', url: `${hook.url}-other` }));
    await page.reload();
    await row('contact.created').click();
    const sheet = page.getByRole('dialog', { name: 'contact.created' });
    await sheet.getByLabel('Webhook').selectOption({ label: 'CRM' });
    await sheet.getByRole('button', { name: 'Send to webhook' }).click();
    await page.getByText('contact.created is being sent to CRM.').waitFor();
    const [arrived] = await hook.has(1);
    expect(arrived!.body.event).toBe('contact.created');
    await page.setViewportSize(PHONE_SCREEN);
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await expectNoSidewaysScroll(page);
  });

  it('the events in the dashboard are loaded as one scrolls, also behind a page on which nothing fits', async () => {
    const event = (number: number) => ({
      id: `evt_${number}`,
      event: `call.ended ${number}`,
      timestamp: '2026-01-01T00:00:00.000Z',
      data: {},
    });
    const pages: Record<string, object> = {
      '': { events: [], next_cursor: 'second', has_more: true },
      second: {
        events: Array.from({ length: 50 }, (_, number) => event(number)),
        next_cursor: 'third',
        has_more: true,
      },
      third: { events: [event(50)], next_cursor: 'end', has_more: false },
    };
    await page.route('**/api/v1/events?*', (route) => {
      const after = new URL(route.request().url()).searchParams.get('after') ?? '';
      return route.fulfill({ json: { ...pages[after], recorded_since: '2026-01-01T00:00:00.000Z' } });
    });
    await page.goto('/dashboard/webhooks/events');
    await page.getByText('call.ended 49').scrollIntoViewIfNeeded();
    await page.getByText('call.ended 50').waitFor();
    await page.unroute('**/api/v1/events?*');
  });
});
