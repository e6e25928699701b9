import { expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import type { Page } from 'playwright-core';
import { createNumber } from '../business-numbers/create-number.ts';
import { startTexting } from '../messages/texting.ts';
import { createTestCompany, succeeded } from '../support/api.ts';
import { dashboardBrowser, describeInBrowser, expectAccessible } from './dashboard-browser.ts';

const browser = dashboardBrowser();
const undo = (page: Page) => page.getByRole('status').getByRole('button', { name: 'Undo' });

describeInBrowser('what was deleted in the dashboard comes back with Undo', () => {
  it('closed days of a number that were deleted in the dashboard come back with Undo', async () => {
    const company = await createTestCompany();
    const { body: number } = await createNumber(company);
    const closure = { name: 'Summer', from: '2030-07-01', to: '2030-07-14' };
    const closures = `/business_numbers/${number.id}/closures`;
    const read = async () => (await succeeded(company.call('GET', closures))).body.closures;
    await succeeded(company.call('POST', closures, closure));
    const page = await browser.signIn(company.owner, `/dashboard/numbers/${number.id}`);
    const item = page.getByRole('list', { name: 'Closed days' }).getByRole('listitem').filter({ hasText: 'Summer' });
    await item.getByRole('button', { name: 'Remove' }).click();
    await item.waitFor({ state: 'detached' });
    expect(await read()).toEqual([]);
    await undo(page).click();
    await item.waitFor();
    expect(await read()).toEqual([expect.objectContaining(closure)]);
    // Shown for five seconds, which the check takes on a busy machine.
    await item.getByRole('button', { name: 'Remove' }).click();
    await undo(page).waitFor();
    await expectAccessible(page);
  });

  it('snippets that were deleted in the dashboard come back with Undo', async () => {
    const texting = await startTexting();
    const { company } = texting;
    const read = async () => (await succeeded(company.call('GET', '/text_snippets'))).body;
    const snippet = { title: 'Hours', text: 'We open at 9.' };
    await succeeded(company.call('POST', '/text_snippets', snippet));
    const page = await browser.signIn(company.owner, `/dashboard/inbox/${encodeURIComponent(texting.customer())}`);
    await page.getByRole('button', { name: 'Snippets' }).click();
    const dialog = page.getByRole('dialog', { name: 'Snippets' });
    await dialog.getByRole('button', { name: 'Delete Hours' }).click();
    await dialog.getByRole('button', { name: 'Delete for everybody' }).click();
    await dialog.getByText('There are no snippets yet.').waitFor();
    expect(await read()).toEqual([]);
    // Above the dialog, which stays open.
    await undo(page).click();
    await dialog.getByRole('button', { name: /^Hours/ }).waitFor();
    await waitUntil(async () => (await read()).length === 1, { what: 'the snippet on the server' });
    expect(await read()).toEqual([expect.objectContaining(snippet)]);
  });
});
