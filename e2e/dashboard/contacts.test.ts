import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from '@jest/globals';
import { type Company, createTestCompany, succeeded } from '../support/api.ts';
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

/** More than one page of the list. */
const COUNT = 60;

const browser = dashboardBrowser();
let company: Company;
let injected: { id: string };

/** The number of requests that the page has made for matching addresses. */
const requestsFor = (page: Page, address: RegExp) =>
  page.evaluate(
    (pattern) => performance.getEntriesByType('resource').filter(({ name }) => new RegExp(pattern).test(name)).length,
    address.source,
  );

describeInBrowser('contacts in the dashboard', () => {
  beforeAll(async () => {
    company = await createTestCompany();
    for (let index = 0; index < COUNT; index++)
      await succeeded(company.call('POST', '/contacts', { phone: `+452030${1000 + index}`, name: `Person ${index}` }));
    const hostile = { phone: '+4520305000', name: INJECTION, company_name: INJECTION, note: INJECTION };
    injected = (await succeeded(company.call('POST', '/contacts', hostile))).body;
  });

  it('contacts in the dashboard are listed page by page, found by a search that survives a reload, and shown as text', async () => {
    const page = await browser.signIn(company.owner, '/dashboard/contacts');
    const person = (index: number) => page.getByRole('link', { name: `Person ${index}`, exact: true });
    await page.getByRole('link', { name: INJECTION }).hover();
    await page.mouse.wheel(0, 10_000);
    await person(0).waitFor();
    expect(await requestsFor(page, /\/contacts\?/)).toBeGreaterThan(1);
    await page.getByLabel('Search contacts').fill('person 42');
    await person(41).waitFor({ state: 'detached' });
    await person(42).waitFor();
    await page.reload();
    await person(42).waitFor();
    await waitForValue(page.getByLabel('Search contacts'), 'person 42');
    expect(await page.getByRole('row').count()).toBe(2);
    await expectAccessible(page);
    await page.goto(`/dashboard/contacts/${injected.id}`);
    await waitForValue(page.getByLabel('Note'), INJECTION);
    await page.getByRole('heading', { level: 1, name: INJECTION, exact: true }).waitFor();
    await expectNoInjection(page);
    await expectAccessible(page);
  });

  it('contacts in the dashboard are found and opened from the command palette', async () => {
    const page = await browser.signIn(company.owner, '/dashboard/contacts');
    await page.getByRole('link', { name: INJECTION }).waitFor();
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Search and commands' });
    await palette.getByRole('searchbox').fill('person 42');
    await palette.getByText('Person 42', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard/inbox/*4520301042');
  });

  it('contacts in the dashboard are imported from a file, which says what was refused', async () => {
    const page = await browser.signIn(company.owner, '/dashboard/contacts');
    await page.getByRole('link', { name: 'Import' }).click();
    const csv = 'phone,name\n+4520307001,Imported\n+4520301001,Person 1\nnobody,Wrong\n';
    await page.getByLabel('CSV file').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await page.getByRole('button', { name: 'Import' }).click();
    await page.getByText('The import is done.').waitFor();
    const progress = page.getByRole('list', { name: 'Progress' });
    for (const text of ['1 contact created', '1 contact updated', '1 line refused'])
      await progress.getByText(text).waitFor();
    await page.getByRole('list', { name: 'Refused lines' }).getByText('Line 4').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Contacts', exact: true }).last().click();
    await page.getByRole('link', { name: 'Imported', exact: true }).waitFor();
  });

  it('contacts in the dashboard are created with the keyboard on a small screen; mistakes are named at their fields and nothing typed is lost', async () => {
    const page = await browser.signIn(company.owner, '/dashboard/contacts', { viewport: PHONE_SCREEN });
    await tabTo(page.getByRole('button', { name: 'New contact' }));
    await page.keyboard.press('Space');
    await page.getByRole('heading', { level: 1, name: 'New contact' }).waitFor();
    await tabTo(page.getByLabel('Phone number'));
    await page.keyboard.type('20 30 10 01');
    await tabTo(page.getByLabel('Email'));
    await page.keyboard.type('nobody');
    await tabTo(page.getByLabel('Note'));
    await page.keyboard.type('Calls on Mondays');
    await tabTo(page.getByRole('button', { name: 'Create contact' }));
    await page.keyboard.press('Enter');
    await page.getByText('Is not a valid e-mail address.').waitFor();
    await waitForFocus(page.getByLabel('Email'));
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.getByLabel('Email').fill('ane@example.dk');
    await page.keyboard.press('Enter');
    await page.getByText('Has already been taken.').waitFor();
    expect(await page.getByLabel('Note').inputValue()).toBe('Calls on Mondays');
    await page.getByLabel('Phone number').fill('20 30 40 50');
    await page.getByLabel('Name').fill('Ane');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Ane' }).waitFor();
    await waitForValue(page.getByLabel('Phone number'), '+4520304050');
    const [stored] = (await company.call('GET', '/contacts?phone=%2B4520304050')).body;
    expect(stored).toMatchObject({ name: 'Ane', email: 'ane@example.dk', note: 'Calls on Mondays' });
  });

  it('contacts in the dashboard are changed field by field, and deleted after a question', async () => {
    const { body } = await succeeded(
      company.call('POST', '/contacts', { phone: '+4520306000', name: 'Bo', note: 'Old' }),
    );
    const page = await browser.signIn(company.owner, `/dashboard/contacts/${body.id}`);
    await page.getByLabel('Company').fill('Bo & Co');
    await page.getByRole('link', { name: 'Team' }).click();
    await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor();
    await page.goBack();
    await waitForValue(page.getByLabel('Company'), 'Bo & Co');
    await succeeded(company.call('PATCH', `/contacts/${body.id}`, { note: 'New' }));
    // The page may also be reading the contact again.
    await page.route('**/api/v1/contacts/*', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    );
    browser.expectProblems(/Failed to load resource/);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').filter({ hasText: 'Check your network and try again.' }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Contact saved.').waitFor();
    const saved = (await company.call('GET', `/contacts/${body.id}`)).body;
    expect(saved).toMatchObject({ company_name: 'Bo & Co', note: 'New' });

    await page.getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('alertdialog', { name: 'Delete Bo?' });
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete' }).click();
    await question.getByRole('button', { name: 'Delete contact' }).click();
    await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor();
    expect((await company.call('GET', `/contacts/${body.id}`)).status).toBe(404);
  });

  it('a new contact in the dashboard begins with the number that a link names, and a contact of another company is not found', async () => {
    const other = await createTestCompany();
    const page = await browser.signIn(other.owner, '/dashboard/contacts/new?phone=%2B4521222324');
    await waitForValue(page.getByLabel('Phone number'), '+4521222324');
    await page.goto(`/dashboard/contacts/${injected.id}`);
    await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
    await waitUntil(async () => (await page.title()).includes('Not found'), { what: 'the title' });
  });
});
