import { expect, it } from '@jest/globals';
import { createTestCompany, send, sharedStack } from '../support/api.ts';
import { dashboardBrowser, describeInBrowser, expectAccessible, waitForFocus } from './dashboard-browser.ts';

const browser = dashboardBrowser();

/** The status with which the API answers a key. */
async function statusOf(apiKey: string): Promise<number> {
  const headers = { 'X-Api-Key': apiKey };
  return (await send('GET', `${sharedStack().base_url}/api/v1/company`, { headers })).status;
}

describeInBrowser('API keys in the dashboard', () => {
  it('API keys in the dashboard are created and rotated: the new one is shown once, the old one works as long as was chosen', async () => {
    const company = await createTestCompany();
    const page = await browser.signIn(company.owner, '/dashboard/api-keys');
    const shown = page.getByLabel('New API key');
    await page.getByLabel('Name', { exact: true }).fill('Webshop');
    await page.getByRole('button', { name: 'Create key' }).click();
    await shown.waitFor();
    const first = await shown.inputValue();
    expect(await statusOf(first)).toBe(200);

    const rotate = page.getByRole('listitem').filter({ hasText: 'Webshop' }).getByRole('button', { name: 'Rotate' });
    await rotate.click();
    const dialog = page.getByRole('dialog', { name: 'Rotate Webshop' });
    const hours = dialog.getByLabel('Old key stays valid, hours');
    await expectAccessible(page);
    await hours.fill('25');
    browser.expectProblems(/status of 422/);
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    await dialog.getByText('The old key can stay valid for 0 to 24 hours.').waitFor();
    expect(await statusOf(first)).toBe(200);
    await hours.fill('1');
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    await dialog.waitFor({ state: 'detached' });
    await waitForFocus(shown);
    const second = await shown.inputValue();
    expect(second).not.toBe(first);
    expect(await Promise.all([statusOf(first), statusOf(second)])).toEqual([200, 200]);
    await page.getByText('the old key works until').waitFor();

    await rotate.click();
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await statusOf(second)).toBe(200);
    await rotate.click();
    await hours.fill('0');
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    await dialog.waitFor({ state: 'detached' });
    const third = await shown.inputValue();
    expect(await Promise.all([statusOf(second), statusOf(third)])).toEqual([401, 200]);
    await page.reload();
    await rotate.waitFor();
    expect(await shown.count()).toBe(0);
  });
});
