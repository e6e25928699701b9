import { expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import { newColleague } from '../roles/staff.ts';
import { createTestCompany, sharedStack } from '../support/api.ts';
import { dashboardBrowser, describeInBrowser, expectUsable, region } from './dashboard-browser.ts';

const browser = dashboardBrowser();
const { base_url: baseUrl } = sharedStack();

describeInBrowser('the page for developers in the settings', () => {
  it('the page for developers has the base address and the command to sign in, which can be copied', async () => {
    const company = await createTestCompany();
    const page = await browser.signIn(company.owner, '/dashboard/settings', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const copied = () => page.evaluate('navigator.clipboard.readText()');
    await page.getByRole('link', { name: 'Developers' }).click();
    await page.getByRole('heading', { level: 1, name: 'Developers' }).waitFor();
    const api = region(page, 'API');
    expect(await api.getByLabel('Base address').inputValue()).toBe(baseUrl);
    await api.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied.').waitFor();
    expect(await copied()).toBe(baseUrl);
    const commandLine = region(page, 'Command line');
    const command = `npx @parley/cli login --url ${baseUrl}`;
    expect(await commandLine.getByLabel('Command to sign in').inputValue()).toBe(command);
    await commandLine.getByRole('button', { name: 'Copy command' }).click();
    await waitUntil(async () => (await copied()) === command, { what: 'the command on the clipboard' });
    await expectUsable(page);
  });

  it('the page for developers leads to the references and the guides', async () => {
    const company = await createTestCompany();
    const page = await browser.signIn(await newColleague(company, 'admin'), '/dashboard/settings/developers');
    for (const [name, heading] of [
      ['API reference', 'Parley API'],
      ['Event reference', 'Events'],
      ['Guides', 'Guides'],
    ] as const) {
      const opened = page.waitForEvent('popup');
      await region(page, 'Documentation').getByRole('link', { name, exact: true }).click();
      const document = await opened;
      await document.getByRole('heading', { name: heading }).first().waitFor();
      await document.close();
    }
  });

  it('the page for developers is not found by members', async () => {
    const company = await createTestCompany();
    const page = await browser.signIn(await newColleague(company, 'member'), '/dashboard/settings/developers');
    await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
    expect(await page.getByRole('link', { name: 'Developers' }).count()).toBe(0);
  });
});
