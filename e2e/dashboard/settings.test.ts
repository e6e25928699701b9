import { expect, it } from '@jest/globals';
import { createTestCompany } from '../support/api.ts';
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

const browser = dashboardBrowser();

describeInBrowser('the settings in the dashboard', () => {
  it('change the company with the keyboard alone, on a small screen', async () => {
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

  it('keep what was typed when the API fails, and say what to do', async () => {
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
});
