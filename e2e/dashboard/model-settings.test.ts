import { expect, it } from '@jest/globals';
import { newColleague } from '../roles/staff.ts';
import { createTestCompany, sandbox, sharedStack, succeeded } from '../support/api.ts';
import { dashboardBrowser, describeInBrowser, expectUsable, region } from './dashboard-browser.ts';

const browser = dashboardBrowser();

describeInBrowser('the language model in the settings', () => {
  it('the language model of a company is set, tested and removed, and its key is never shown', async () => {
    const company = await createTestCompany();
    const model = `small-${company.id}`;
    const answerWith = (turn: object) =>
      succeeded(sandbox(sharedStack(), 'PUT', `/llm/scripts/${model}`, { turns: [turn], at_end: 'repeat' }));
    await answerWith({ tool_calls: [{ name: 'find_person', arguments: { name: 'Anna Jensen' } }] });
    const page = await browser.signIn(company.owner, '/dashboard/settings/model');
    await page.getByText('Not set up').waitFor();
    const settings = region(page, 'Settings');
    await settings.getByLabel('Address').fill('http://models.example.com');
    await settings.getByLabel('Model').fill(model);
    await settings.getByLabel('Monthly limit').fill('20');
    await settings.getByRole('button', { name: 'Save' }).click();
    await settings.getByText('Needs prices.', { exact: true }).waitFor();
    expect(await settings.getByLabel('Address').getAttribute('aria-invalid')).toBe('true');
    await settings.getByLabel('Address').fill(`${sharedStack().sandbox_url}/llm/v1`);
    await settings.getByLabel('Key', { exact: true }).fill('sk-very-secret');
    await settings.getByLabel('Price of a million tokens in').fill('0.15');
    await settings.getByLabel('Price of a million tokens out').fill('0.60');
    await settings.getByRole('button', { name: 'Save' }).click();
    await settings.getByText('One is stored.').waitFor();
    expect(await settings.getByLabel('Key', { exact: true }).inputValue()).toBe('');
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('sk-very-secret');
    const state = region(page, 'State');
    await state.getByText('In use').waitFor();
    await state.getByText('$0.00 of $20.00 · 0 tokens in').waitFor();
    const test = state.getByRole('button', { name: 'Test connection' });
    await test.click();
    await state.getByRole('status').getByText('It works: first word after').waitFor();
    await answerWith({ status: 401, body: '{}' });
    await test.click();
    await state.getByRole('status').getByText('The key was not accepted.').waitFor();
    await expectUsable(page);
    await settings.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove model' }).click();
    await page.getByText('Not set up').waitFor();
    expect((await company.call('GET', '/assistant_endpoint')).body.url).toBeNull();
  });

  it('the language model of a company is not found by members', async () => {
    const company = await createTestCompany();
    const page = await browser.signIn(await newColleague(company, 'member'), '/dashboard/settings/model');
    await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
  });
});
