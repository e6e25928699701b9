import { beforeAll, expect, it } from '@jest/globals';
import { createNumber } from '../business-numbers/create-number.ts';
import { type Company, createTestCompany, operate, sandbox, send, sharedStack, succeeded } from '../support/api.ts';
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
} from './dashboard-browser.ts';

const browser = dashboardBrowser();
let company: Company;

const newEmail = () => `team.${process.pid}.${Math.random().toString(36).slice(2)}@example.com`;

const hire = (name: string) => succeeded(company.call('POST', '/employees', { name, email: newEmail() }));

describeInBrowser('the team in the dashboard', () => {
  beforeAll(async () => {
    company = await createTestCompany();
  });

  it('the team in the dashboard shows statuses as they change, and switches do-not-disturb of each', async () => {
    const { body: ada } = await hire('Ada Berg');
    const page = await browser.signIn(company.owner, '/dashboard/team');
    const row = page.getByRole('row').filter({ hasText: 'Ada Berg' });
    await row.getByText(/^Invited, /).waitFor();
    await succeeded(sandbox(sharedStack(), 'PUT', `/phones/${ada.id}`, { online: true }));
    await row.getByText('Available').waitFor();
    await row.getByRole('switch', { name: 'Do not disturb, Ada Berg' }).click();
    await row.getByText('Do not disturb', { exact: true }).waitFor();
    expect((await company.call('GET', `/employees/${ada.id}`)).body.do_not_disturb).toBe(true);
    expect(await page.getByRole('switch', { name: 'Do not disturb', exact: true }).count()).toBe(1);
    await expectAccessible(page);
  });

  it('the team in the dashboard invites an employee with the keyboard on a small screen; mistakes are named at their fields', async () => {
    const page = await browser.signIn(company.owner, '/dashboard/team', { viewport: PHONE_SCREEN });
    const invite = page.getByRole('button', { name: 'Invite employee' });
    await tabTo(invite);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Invite employee' });
    await dialog.getByLabel('Name').fill(INJECTION);
    await dialog.getByLabel('Email').fill(company.owner.email);
    await page.keyboard.press('Enter');
    await dialog.getByText('Has already been taken.').waitFor();
    expect(await dialog.getByLabel('Name').inputValue()).toBe(INJECTION);
    await expectAccessible(page);
    const email = newEmail();
    await dialog.getByLabel('Email').fill(email);
    await page.keyboard.press('Enter');
    await page
      .getByRole('row')
      .filter({ hasText: email })
      .getByText(/^Invited, /)
      .waitFor();
    await dialog.waitFor({ state: 'detached' });
    await waitForFocus(invite);
    await expectNoInjection(page);
    await expectNoSidewaysScroll(page);
  });

  it('the team in the dashboard removes an employee, unless business numbers ring nobody else: then it links to them', async () => {
    const { body: bo } = await hire('Bo Dahl');
    const { body: number } = await createNumber(company, { name: 'Sales' });
    const ring = (employee: string) => ({ type: 'TransferConfig', employee_ids: [employee] });
    const config = `/business_numbers/${number.id}/incoming_call_config`;
    await succeeded(company.call('PUT', config, ring(bo.id)));
    const page = await browser.signIn(company.owner, '/dashboard/team');
    const remove = page.getByRole('row').filter({ hasText: 'Bo Dahl' }).getByRole('button', { name: 'Remove' });
    await remove.click();
    await page.getByRole('alertdialog', { name: 'Remove Bo Dahl?' }).getByRole('button', { name: 'Remove' }).click();
    const refusal = page.getByRole('dialog', { name: 'Bo Dahl cannot be removed yet' });
    expect(await refusal.getByRole('link', { name: 'Sales' }).getAttribute('href')).toBe(
      `/dashboard/numbers/${number.id}`,
    );
    await expectAccessible(page);
    await refusal.getByRole('button', { name: 'Close' }).click();
    await succeeded(company.call('PUT', config, ring(company.owner.id)));
    await remove.click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await remove.waitFor({ state: 'detached' });
    expect((await company.call('GET', `/employees/${bo.id}`)).status).toBe(404);
  });

  it('the team in the dashboard deactivates an employee, after showing which keys stop, and reactivates them', async () => {
    const { body: eva } = await hire('Eva Lund');
    const key = await succeeded(operate(sharedStack(), 'POST', `/employees/${eva.id}/api_keys`, { name: INJECTION }));
    const headers = { 'X-Api-Key': key.body.api_key as string };
    await succeeded(send('GET', `${sharedStack().base_url}/api/v1/company`, { headers }));
    const page = await browser.signIn(company.owner, '/dashboard/team', { viewport: PHONE_SCREEN });
    const row = page.getByRole('row').filter({ hasText: 'Eva Lund' });
    await row.getByRole('button', { name: 'Deactivate' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Deactivate Eva Lund?' });
    await dialog.getByText(INJECTION).waitFor();
    await expectAccessible(page);
    await expectNoInjection(page);
    await expectNoSidewaysScroll(page);
    await dialog.getByRole('button', { name: 'Deactivate' }).click();
    await row.getByText('Deactivated', { exact: true }).waitFor();
    expect((await company.call('GET', `/employees/${eva.id}`)).body.active).toBe(false);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await row.getByRole('button', { name: 'Reactivate' }).click();
    await row.getByText(/^Invited, /).waitFor();
    expect((await company.call('GET', `/employees/${eva.id}`)).body.active).toBe(true);
  });
});
