import { beforeAll, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import type { Page } from 'playwright-core';
import { type AssistantCompany, openAssistantCompany } from '../assistants/assistant-company.ts';
import { newColleague } from '../roles/staff.ts';
import { succeeded } from '../support/api.ts';
import {
  dashboardBrowser,
  describeInBrowser,
  expectAccessible,
  expectNoInjection,
  expectUsable,
  INJECTION,
  region,
  save,
} from './dashboard-browser.ts';

const browser = dashboardBrowser();

describeInBrowser('what assistants know in the dashboard', () => {
  let fixture: AssistantCompany;
  let page: Page;

  beforeAll(async () => {
    fixture = await openAssistantCompany();
    page = await browser.signIn(fixture.company.owner, '/dashboard/knowledge');
  }, 240_000);

  const entries = async () =>
    (await succeeded(fixture.company.call('GET', '/knowledge_entries'))).body.knowledge_entries;

  it('what assistants know in the dashboard is written, found, changed and deleted', async () => {
    await page.getByText('Nothing is written down yet.').waitFor();
    await page.getByRole('button', { name: 'Add answer' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add answer' });
    await dialog.getByLabel('Title').fill(INJECTION);
    await dialog.getByLabel('Other ways to ask').fill(`Where can I park?\n\nIs there a car park?`);
    await dialog.getByLabel('Text to send').fill('http://example.com');
    await dialog.getByRole('button', { name: 'Save answer' }).click();
    await dialog.getByText(/https/).last().waitFor();
    await waitUntil(async () => (await dialog.locator('[aria-invalid=true]').count()) === 2, { what: 'marked fields' });
    await expectAccessible(page);
    await dialog.getByLabel('Answer', { exact: true }).fill('Behind the house.');
    await dialog.getByLabel('Text to send').fill('https://example.com/parking');
    await dialog.getByRole('button', { name: 'Save answer' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await entries()).toMatchObject([
      {
        title: INJECTION,
        answer: 'Behind the house.',
        questions: ['Where can I park?', 'Is there a car park?'],
        text: 'https://example.com/parking',
      },
    ]);
    await page.getByLabel('Search knowledge').fill('nowhere');
    await page.getByText('Nothing found.').waitFor();
    await page.getByLabel('Search knowledge').fill('house');
    await expectUsable(page);
    await page.getByRole('link', { name: INJECTION }).click();
    const answer = region(page, 'Answer');
    await answer.getByLabel('Title').fill('Parking');
    await answer.getByLabel('Last day').fill('2020-12-24');
    await save(page, 'Answer');
    await page.getByRole('heading', { level: 1, name: 'Parking' }).waitFor();
    await page.getByText('Ended').waitFor();
    await expectUsable(page);
    await expectNoInjection(page);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete answer' }).click();
    await page.getByText('Parking was deleted.').waitFor();
    expect(await entries()).toEqual([]);
  });

  it('what assistants know in the dashboard grows by what callers asked', async () => {
    const { callId, asked } = await askSomething();
    const unanswered = region(page, 'Unanswered');
    await page.goto('/dashboard/knowledge');
    const items = unanswered.getByRole('listitem');
    await items.first().waitFor();
    expect(await items.getByRole('link', { name: 'Open the call' }).first().getAttribute('href')).toContain(callId);
    await items.first().getByRole('button', { name: 'Write an answer' }).click();
    const dialog = page.getByRole('dialog', { name: 'Write an answer' });
    expect(await dialog.getByLabel('Other ways to ask').inputValue()).toBe(asked);
    await dialog.getByLabel('Title').fill('Repairs');
    await dialog.getByLabel('Answer', { exact: true }).fill('We repair bicycles on Mondays.');
    await dialog.getByRole('button', { name: 'Save answer' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Repairs' }).waitFor();
    const left = async () =>
      (await succeeded(fixture.company.call('GET', '/unanswered_questions'))).body.unanswered_questions.length;
    for (let rest = await left(); rest > 0; rest = await left()) {
      await items.first().getByRole('button', { name: 'Dismiss' }).click();
      await waitUntil(async () => (await left()) < rest, { what: 'the question is dismissed' });
    }
    await unanswered.getByText('will be listed here').waitFor();
  });

  it('what assistants know in the dashboard is for members to read', async () => {
    await fixture.know('Parking', 'You can park behind the house.');
    const members = await browser.signIn(await newColleague(fixture.company, 'member'), '/dashboard/knowledge');
    await region(members, 'Unanswered').waitFor();
    await members.getByRole('link', { name: 'Parking' }).waitFor();
    expect(await members.getByRole('button', { name: /^(Add|Write|Dismiss)/ }).count()).toBe(0);
    await expectUsable(members);
    await members.getByRole('link', { name: 'Parking' }).click();
    await members.getByText('You can park behind the house.').waitFor();
    expect(await members.getByRole('button', { name: /^(Save|Delete)/ }).count()).toBe(0);
  });

  /** A caller has asked something that nothing answers. */
  async function askSomething(): Promise<{ callId: string; asked: string }> {
    const number = await fixture.number(fixture.config);
    const { legId, callId } = await fixture.callAssistant(number);
    await fixture.say(legId, 'Do you repair old bicycles?');
    const asked = await waitUntil(
      async () => {
        const { body } = await fixture.company.call('GET', '/unanswered_questions');
        return body.unanswered_questions[0]?.text as string | undefined;
      },
      { what: 'an unanswered question', timeoutMs: 100_000 },
    );
    await fixture.hangUp(legId);
    return { callId, asked };
  }
});
