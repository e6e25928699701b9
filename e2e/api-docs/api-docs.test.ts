import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { createTestCompany, sharedStack } from '../support/api.ts';
import { expectUsable } from '../dashboard/dashboard-browser.ts';
import { browserPath, startBrowser } from '../identity/real-browser.ts';

const stack = sharedStack();
const inBrowser = browserPath === undefined ? describe.skip : describe;

inBrowser('the API reference in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it('the API reference in a browser sends a request with a key, loads nothing from other origins and violates no security policy', async () => {
    const company = await createTestCompany(stack);
    const { body: contact } = await company.call('POST', '/contacts', { phone: '+4520304050', name: 'Ane' });
    const page = await browser.newPage({ baseURL: stack.base_url });
    const problems: string[] = [];
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(stack.base_url) && !request.url().startsWith('data:')) problems.push(request.url());
    });
    await page.goto('/docs');
    await page.click('button.authorize');
    await page.fill('.auth-container input', company.apiKey);
    await page.click('.auth-btn-wrapper button[type=submit]');
    await page.click('.auth-btn-wrapper button.btn-done');
    await page.click('h3[data-tag="Contacts"]');
    await page.click('#operations-Contacts-listContacts .opblock-summary-control');
    await page.click('.try-out__btn');
    await page.click('button.execute');
    const response = page.locator('.live-responses-table .response').first();
    await response.waitFor();
    expect(await response.textContent()).toContain(contact.id);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('the API reference in a browser leads to all events, which are readable on a phone, in the dark and without scripts', async () => {
    const context = await browser.newContext({ baseURL: stack.base_url });
    const reference = await context.newPage();
    await reference.goto('/docs');
    const opened = reference.waitForEvent('popup');
    await reference.getByRole('link', { name: 'All events' }).click();
    const page = await opened;
    const problems: string[] = [];
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor();
    await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'voicemail.new' }).click();
    const section = page.getByRole('region', { name: 'voicemail.new' });
    for (const part of ['Fields', 'Example']) await section.getByText(part, { exact: true }).click();
    await section.getByText('data.voicemail.id', { exact: true }).waitFor();
    await section.getByText('"event": "voicemail.new"').waitFor();
    await expectUsable(page);
    expect(problems).toEqual([]);
    await context.close();
  });

  it('the guides in a browser lead from one to the next, and are readable on a phone, in the dark and without scripts', async () => {
    const context = await browser.newContext({ baseURL: stack.base_url, javaScriptEnabled: false });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    await page.goto('/docs/events');
    await page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'Guides' }).click();
    await page.getByRole('heading', { level: 1, name: 'Guides' }).waitFor();
    await page.getByRole('heading', { level: 2, name: 'Webhooks' }).getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    await page.getByRole('figure', { name: 'receiver.mts' }).getByText('verifyWebhook(').waitFor();
    expect(await page.getByText(`PARLEY_BASE_URL=${stack.base_url}`).count()).toBe(1);
    await page.getByRole('link', { name: 'catching up' }).click();
    await page.getByRole('heading', { level: 1, name: 'Catching up with events' }).waitFor();
    expect(problems).toEqual([]);
    await context.close();
    const usable = await browser.newPage({ baseURL: stack.base_url });
    for (const path of ['/docs/guides', '/docs/guides/quickstart-curl']) {
      await usable.goto(path);
      await expectUsable(usable);
    }
    await usable.close();
  });
});
