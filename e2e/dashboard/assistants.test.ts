import { beforeAll, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import type { Locator, Page } from 'playwright-core';
import { type AssistantCompany, openAssistantCompany } from '../assistants/assistant-company.ts';
import { createNumber } from '../business-numbers/create-number.ts';
import { newColleague } from '../roles/staff.ts';
import { type Company, createTestCompany, sandbox, sharedStack, succeeded } from '../support/api.ts';
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

/** A name of a team has at most 64 characters. */
const MARKUP = INJECTION.slice(0, INJECTION.indexOf('<script>'));

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

async function save(page: Page, section: string): Promise<void> {
  await region(page, section).getByRole('button', { name: 'Save' }).click();
  await page.getByText(`${section}: saved.`).last().waitFor();
}

async function expectUsable(page: Page): Promise<void> {
  await expectAccessible(page);
  const size = page.viewportSize()!;
  await page.setViewportSize(PHONE_SCREEN);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize(size);
}

describeInBrowser('an assistant in the dashboard', () => {
  let company: Company;
  let number: { id: string; name: string };
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
    await page.keyboard.type('Robin');
    await page.keyboard.press('Enter');
    await page.getByText('Must not be blank.').waitFor();
    await page.getByLabel('Greeting').fill(`Hello, ${INJECTION}`);
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
    await trial().getByLabel('Say something').fill('Goodbye');
    await page.keyboard.press('Enter');
    await log().getByText('The conversation would end here.').waitFor();
    await expectUsable(page);
    await trial().getByRole('button', { name: 'Start again' }).click();
    await log().getByText('Where can I park?').waitFor({ state: 'detached' });
    await log().getByText('How can I help you?').waitFor();
  });

  it('an assistant in the dashboard answers a number in every slot and behind a key, with a fallback', async () => {
    await page.goto(`/dashboard/numbers/${number.id}`);
    const answer = async (part: Locator, routing: string): Promise<void> => {
      await part.getByLabel(routing).last().selectOption('AssistantConfig');
      await part.getByLabel('Assistant', { exact: true }).selectOption({ label: 'Robin' });
    };
    const incoming = region(page, 'Incoming calls');
    await incoming.getByLabel('Routing').selectOption('AssistantConfig');
    await incoming.getByLabel('If it cannot help').selectOption('VoicemailConfig');
    await incoming.getByRole('button', { name: 'Save' }).click();
    const chosen = incoming.getByLabel('Assistant', { exact: true });
    await waitUntil(async () => (await chosen.getAttribute('aria-invalid')) === 'true', {
      what: 'the assistant is marked',
    });
    await answer(incoming, 'Routing');
    await incoming.getByLabel('Greeting').fill('Please leave a message.');
    await page.getByLabel('What happens at').fill('2026-05-04T10:30');
    await page
      .getByRole('group', { name: 'Route' })
      .getByRole('button', { name: /Assistant.*Robin/ })
      .waitFor();
    await page.getByText('The assistant “Robin” answers.').waitFor();
    await expectAccessible(page);
    await save(page, 'Incoming calls');

    const outside = region(page, 'Outside business hours');
    await answer(outside, 'Routing');
    await outside.getByLabel('If it cannot help').selectOption('WelcomeTransferConfig');
    await outside.getByLabel('Welcome').fill('Somebody comes to the phone.');
    await outside.getByRole('checkbox', { name: 'Olivia Owner' }).check();
    await save(page, 'Outside business hours');

    const noAnswer = region(page, 'No answer');
    await noAnswer.getByLabel('Waiting time').selectOption('30');
    await answer(noAnswer, 'Routing');
    await noAnswer.getByLabel('If it cannot help').selectOption('RejectConfig');
    await noAnswer.getByLabel('Message').fill('Goodbye.');
    await save(page, 'No answer');
    const saved = async () => (await succeeded(company.call('GET', `/business_numbers/${number.id}`))).body;
    expect(await saved()).toMatchObject({
      incoming_call_config: {
        type: 'AssistantConfig',
        assistant: { id, name: 'Robin' },
        fallback: { type: 'VoicemailConfig', greeting: 'Please leave a message.' },
      },
      outside_business_hours_config: {
        assistant: { id },
        fallback: { type: 'WelcomeTransferConfig', employee_ids: [company.owner.id] },
      },
      no_answer_config: { assistant: { id }, fallback: { type: 'RejectConfig', message: 'Goodbye.' } },
    });

    await incoming.getByLabel('Routing').selectOption('PhoneMenuConfig');
    await incoming.getByLabel('Welcome').fill('Press 1');
    await incoming.getByRole('button', { name: 'Add option' }).click();
    const option = incoming.getByRole('group', { name: 'Option 1' });
    await answer(option, 'Action');
    await option.getByLabel('If it cannot help').selectOption('ForwardConfig');
    await option.getByLabel('Phone number').fill('12');
    await incoming.getByRole('button', { name: 'Save' }).click();
    await waitUntil(async () => (await option.getByLabel('Phone number').getAttribute('aria-invalid')) === 'true', {
      what: 'the number is marked',
    });
    await option.getByLabel('Phone number').fill('+45 20 30 40 50');
    await save(page, 'Incoming calls');
    expect((await saved()).incoming_call_config.menu_options).toMatchObject([
      {
        digit: '1',
        action_type: 'AssistantConfig',
        assistant: { id },
        fallback: { type: 'ForwardConfig', phone_number: '+4520304050' },
      },
    ]);
    await expectUsable(page);
  });

  it('an assistant in the dashboard that answers numbers is not deleted, and the page names them', async () => {
    await page.goto('/dashboard/assistant');
    const row = page.getByRole('row').filter({ hasText: 'Robin' });
    await row.getByText('Support').waitFor();
    await row.getByRole('link', { name: 'Robin' }).click();
    await page.getByText('Answers calls to').getByRole('link', { name: 'Support' }).waitFor();
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
    await members.goto('/dashboard/knowledge');
    await members.getByRole('link', { name: 'Parking' }).click();
    await members.getByText('You can park behind the house.').waitFor();
    expect(await members.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await members.goto('/dashboard/settings/model');
    await members.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
  });

  it('an assistant in the dashboard of another company is not found', async () => {
    const other = await createTestCompany();
    const { body } = await succeeded(other.call('POST', '/assistants', { name: 'Kim', greeting: 'Hi.' }));
    for (const address of [body.id, 'unknown']) {
      await page.goto(`/dashboard/assistant/${address}`);
      await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
    }
  });

  it('the language model of a company is set in the settings, tested and removed, and its key is never shown', async () => {
    const model = `small-${company.id}`;
    const turns = [{ tool_calls: [{ name: 'find_person', arguments: { name: 'Anna Jensen' } }] }];
    await succeeded(sandbox(sharedStack(), 'PUT', `/llm/scripts/${model}`, { turns }));
    await page.goto('/dashboard/settings/model');
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
    await region(page, 'State').getByText('$0.00 of $20.00 · 0 tokens in').waitFor();
    await region(page, 'State').getByRole('button', { name: 'Test connection' }).click();
    await region(page, 'State').getByRole('status').getByText('It works: first word after').waitFor();
    await expectUsable(page);
    await settings.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove model' }).click();
    await page.getByText('Not set up').waitFor();
    expect((await company.call('GET', '/assistant_endpoint')).body.url).toBeNull();
  });
});

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
