import { beforeAll, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import type { Page } from 'playwright-core';
import { createNumber } from '../business-numbers/create-number.ts';
import { newColleague } from '../roles/staff.ts';
import { type Company, createTestCompany, succeeded } from '../support/api.ts';
import {
  dashboardBrowser,
  describeInBrowser,
  expectAccessible,
  expectNoInjection,
  expectUsable,
  INJECTION,
  region,
  save,
  tabTo,
  waitForFocus,
  waitForValue,
} from './dashboard-browser.ts';

const browser = dashboardBrowser();

/** A name of a team has at most 64 characters. */
const MARKUP = INJECTION.slice(0, INJECTION.indexOf('<script>'));

describeInBrowser('an assistant in the dashboard', () => {
  let company: Company;
  let number: { id: string; number: string };
  let id: string;
  let page: Page;

  beforeAll(async () => {
    company = await createTestCompany();
    number = (await createNumber(company, { name: 'Support' })).body;
    await createNumber(company, { name: 'Sales' });
    page = await browser.signIn(company.owner, '/dashboard/inbox');
  });

  const assistant = async () => (await succeeded(company.call('GET', `/assistants/${id}`))).body;
  const trial = () => region(page, 'Try it');
  const log = () => trial().getByRole('log', { name: 'Conversation' });

  it('an assistant in the dashboard is created with the keyboard alone, and greets at once', async () => {
    await page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Assistant' }).click();
    await page.getByText('There is no assistant yet.').waitFor();
    await expectAccessible(page);
    await tabTo(page.getByRole('button', { name: 'New assistant' }));
    await page.keyboard.press('Enter');
    await tabTo(page.getByLabel('Name'));
    await page.keyboard.press('Enter');
    await page.getByText('Must not be blank.').waitFor();
    await page.keyboard.type('Robin');
    const greeting = page.getByLabel('Greeting');
    expect(await greeting.inputValue()).toMatch(/^This is Company .+\. How can I help you\?$/);
    await greeting.fill(`Hello, ${INJECTION}`);
    await expectUsable(page);
    await page.getByRole('button', { name: 'Create assistant' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Robin' }).waitFor();
    id = new URL(page.url()).pathname.split('/').at(-1)!;
    await log().getByText('You are speaking with an automated assistant.').waitFor();
    await expectNoInjection(page);
  });

  it('an assistant in the dashboard is heard with its disclosure and greeting', async () => {
    const greeting = region(page, 'Greeting');
    await greeting.getByRole('textbox', { name: 'Greeting' }).fill('How can I help you?');
    await save(page, 'Greeting');
    expect(await assistant()).toMatchObject({ greeting: 'How can I help you?' });
    const audio = greeting.locator('audio');
    // The voice of English is loaded first: on a busy machine that takes longer than one waits for.
    await waitUntil(
      async () => {
        if ((await audio.count()) > 0) return true;
        await greeting.getByRole('button', { name: 'Listen' }).click();
        return false;
      },
      { what: 'audio', timeoutMs: 120_000 },
    );
    await waitUntil(() => audio.evaluate((element) => (element as unknown as { duration: number }).duration > 1), {
      what: 'audio of more than a second',
    });
  });

  it('an assistant in the dashboard may do what is chosen, within limits', async () => {
    const actions = region(page, 'What it may do');
    await actions.getByRole('checkbox', { name: 'Arrange call-backs' }).uncheck();
    await actions.getByRole('checkbox', { name: /^Send texts/ }).check();
    await actions.getByLabel('Answers with').selectOption('embedded');
    await save(page, 'What it may do');
    const limits = region(page, 'Limits');
    await limits.getByLabel('Seconds of silence').fill('3');
    await limits.getByRole('button', { name: 'Save' }).click();
    await limits.getByText(/^Must be/).waitFor();
    await limits.getByLabel('Seconds of silence').fill('10');
    await limits.getByRole('checkbox', { name: 'Keep what was said' }).uncheck();
    await save(page, 'Limits');
    expect(await assistant()).toMatchObject({
      actions: { transfer: true, take_message: true, request_callback: false, send_text: true },
      engine: 'embedded',
      silence_secs: 10,
      keep_transcript: false,
    });
  });

  it('an assistant in the dashboard knows people and teams, with the API’s messages at their fields', async () => {
    const people = region(page, 'People and teams');
    await people.getByRole('button', { name: 'Add a person or team' }).click();
    const team = people.getByRole('group').first();
    await waitForFocus(team.getByLabel('Name', { exact: true }));
    await team.getByLabel('Name', { exact: true }).fill('Sales');
    await team.getByLabel('Other names').fill('Orders\n\nShop');
    await people.getByRole('button', { name: 'Add a person or team' }).click();
    const phone = people.getByRole('group', { name: 'New person or team' });
    await phone.getByLabel('Name', { exact: true }).fill(MARKUP);
    const outside = people.getByRole('group', { name: MARKUP });
    await outside.getByLabel('Who rings').selectOption('phone');
    await outside.getByLabel('Phone number').fill('12');
    await people.getByRole('button', { name: 'Save' }).click();
    await waitUntil(async () => (await people.locator('[aria-invalid=true]').count()) > 1, {
      what: 'two marked fields',
    });
    expect(await outside.getByLabel('Phone number').getAttribute('aria-invalid')).toBe('true');
    await people.getByRole('checkbox', { name: 'Olivia Owner' }).check();
    await outside.getByLabel('Phone number').fill('+45 20 30 40 50');
    await save(page, 'People and teams');
    expect((await assistant()).transfer_targets).toMatchObject([
      { name: 'Sales', aliases: ['Orders', 'Shop'], employee_ids: [company.owner.id], phone_number: null },
      { name: MARKUP, employee_ids: [], phone_number: '+4520304050' },
    ]);
    await expectNoInjection(page);
  });

  it('an assistant in the dashboard is tried, and shows where its answers are from', async () => {
    const entry = { title: 'Parking', answer: 'You can park behind the house.', questions: ['Where can I park?'] };
    await succeeded(company.call('POST', '/knowledge_entries', entry));
    await trial().getByRole('button', { name: 'Start again' }).click();
    await waitForFocus(trial().getByLabel('Say something'));
    await log().getByText('How can I help you?').waitFor();
    await page.keyboard.type('Where can I park?');
    await page.keyboard.press('Enter');
    await log().getByText(entry.answer).waitFor();
    await log().getByRole('link', { name: 'From “Parking”' }).waitFor();
    await trial().getByLabel('Say something').fill('Are you open tomorrow?');
    await trial().getByRole('button', { name: 'Say', exact: true }).click();
    await log().getByText('From the business hours').waitFor();
    await trial().getByLabel('Say something').fill('Do you sell cakes?');
    await page.keyboard.press('Enter');
    await log().getByRole('button', { name: 'Write an answer' }).click();
    const dialog = page.getByRole('dialog', { name: 'Write an answer' });
    await waitForFocus(dialog.getByLabel('Title'));
    expect(await dialog.getByLabel('Other ways to ask').inputValue()).toBe('Do you sell cakes?');
    await page.keyboard.type('Cakes');
    await dialog.getByLabel('Answer', { exact: true }).fill('We bake cakes to order.');
    await dialog.getByRole('button', { name: 'Save answer' }).click();
    await dialog.waitFor({ state: 'detached' });
    // What was written counts from a turn within two seconds on.
    const answer = log().getByText(/We bake cakes to order|I don't know/);
    await waitUntil(
      async () => {
        await trial().getByRole('button', { name: 'Start again' }).click();
        await log().getByText('How can I help you?').waitFor();
        await page.keyboard.type('Do you sell cakes?');
        await page.keyboard.press('Enter');
        await answer.waitFor();
        return (await answer.textContent())?.includes('to order');
      },
      { what: 'the new answer' },
    );
    await trial().getByLabel('Say something').fill('Goodbye');
    await page.keyboard.press('Enter');
    await log().getByText('The conversation would end here.').waitFor();
    await expectUsable(page);
    await trial().getByRole('button', { name: 'Start again' }).click();
    await log().getByText('Where can I park?').waitFor({ state: 'detached' });
    await log().getByText('How can I help you?').waitFor();
  });

  it('an assistant in the dashboard that answers numbers is not deleted, and the page names them', async () => {
    const config = {
      type: 'AssistantConfig',
      assistant_id: id,
      fallback: { type: 'RejectConfig', message: 'Goodbye.' },
    };
    await succeeded(company.call('PUT', `/business_numbers/${number.id}/incoming_call_config`, config));
    await page.goto('/dashboard/assistant');
    const row = page.getByRole('row').filter({ hasText: 'Robin' });
    await row.getByText('Support').waitFor();
    await row.getByRole('link', { name: 'Robin' }).click();
    await page.getByText('Answers calls to').getByRole('link', { name: 'Support' }).waitFor();
    await trial().getByRole('link', { name: 'Call it in the sandbox' }).click();
    await waitForValue(page.getByLabel('To number').first(), number.number);
    await page.goBack();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete assistant' }).click();
    const refused = page.getByRole('dialog', { name: 'Robin cannot be deleted yet' });
    await refused.getByRole('link', { name: 'Support' }).waitFor();
    await expectAccessible(page);
    await refused.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('switch', { name: 'Active' }).click();
    await waitUntil(async () => !(await assistant()).active, { what: 'it is not active' });
  });

  it('an assistant in the dashboard that answers no number is deleted', async () => {
    const { body } = await succeeded(company.call('POST', '/assistants', { name: 'Kim', greeting: 'Hi.' }));
    await page.goto(`/dashboard/assistant/${body.id}`);
    await page.getByText('No number has it answer yet.').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete assistant' }).click();
    await page.getByText('Kim was deleted.').waitFor();
    expect((await company.call('GET', `/assistants/${body.id}`)).status).toBe(404);
  });

  it('an assistant in the dashboard is for admins to change, and for members to read', async () => {
    const member = await newColleague(company, 'member');
    const members = await browser.signIn(member, `/dashboard/assistant/${id}`);
    await members.getByRole('heading', { level: 1, name: 'Robin' }).waitFor();
    await region(members, 'Greeting').getByText('How can I help you?').waitFor();
    await region(members, 'People and teams').getByText('Sales').waitFor();
    for (const name of ['Save', 'Delete', 'Start again'])
      expect(await members.getByRole('button', { name }).count()).toBe(0);
    await expectUsable(members);
  });

  it('an assistant in the dashboard of another company is not found', async () => {
    const other = await createTestCompany();
    const { body } = await succeeded(other.call('POST', '/assistants', { name: 'Kim', greeting: 'Hi.' }));
    for (const address of [body.id, 'unknown']) {
      await page.goto(`/dashboard/assistant/${address}`);
      await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
    }
  });
});
