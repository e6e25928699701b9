import { beforeAll, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import type { Locator, Page } from 'playwright-core';
import { createNumber } from '../business-numbers/create-number.ts';
import { type Company, createTestCompany, succeeded } from '../support/api.ts';
import {
  dashboardBrowser,
  describeInBrowser,
  expectAccessible,
  expectUsable,
  region,
  save,
  waitForValue,
} from './dashboard-browser.ts';

const browser = dashboardBrowser();

/** Within the business hours of a new number, whenever the test runs. */
const A_MONDAY_MORNING = '2026-05-04T10:30';

const isMarked = (field: Locator, what: string) =>
  waitUntil(async () => (await field.getAttribute('aria-invalid')) === 'true', { what });

describeInBrowser('a number that an assistant answers', () => {
  let company: Company;
  let robin: { id: string; name: string };
  let number: { id: string };
  let page: Page;

  const create = async (name: string) =>
    (await succeeded(company.call('POST', '/assistants', { name, greeting: 'Hello.' }))).body;
  const saved = async () => (await succeeded(company.call('GET', `/business_numbers/${number.id}`))).body;
  const assistantIn = (part: Locator) => part.getByLabel('Assistant', { exact: true });
  const fallbackIn = (part: Locator) => part.getByLabel('If it cannot help');

  beforeAll(async () => {
    company = await createTestCompany();
    robin = await create('Robin');
    number = (await createNumber(company)).body;
    page = await browser.signIn(company.owner, `/dashboard/numbers/${number.id}`);
  });

  it('a number has the only assistant answer in two steps, and falls back on what it did until then', async () => {
    const before = (await saved()).incoming_call_config;
    const incoming = region(page, 'Incoming calls');
    await incoming.getByLabel('Routing').selectOption('AssistantConfig');
    await waitForValue(assistantIn(incoming), robin.id);
    await save(page, 'Incoming calls');
    const { incoming_call_config: config } = await saved();
    expect(config).toMatchObject({ type: 'AssistantConfig', assistant: { id: robin.id, name: 'Robin' } });
    expect(config.fallback).toEqual(before);
    await page.getByLabel('What happens at').fill(A_MONDAY_MORNING);
    await page.getByText('The assistant “Robin” answers.').waitFor();
  });

  it('a number has an assistant answer in every slot and behind a key, with a fallback', async () => {
    await create('Kim');
    await page.reload();
    const incoming = region(page, 'Incoming calls');
    const outside = region(page, 'Outside business hours');
    await outside.getByLabel('Routing').selectOption('AssistantConfig');
    await outside.getByRole('button', { name: 'Save' }).click();
    await isMarked(assistantIn(outside), 'the assistant is marked');
    await assistantIn(outside).selectOption({ label: 'Kim' });
    await fallbackIn(outside).selectOption('WelcomeTransferConfig');
    await outside.getByLabel('Welcome').fill('Somebody comes to the phone.');
    await outside.getByRole('checkbox', { name: 'Olivia Owner' }).check();
    await save(page, 'Outside business hours');

    await fallbackIn(incoming).selectOption('VoicemailConfig');
    await incoming.getByLabel('Greeting').fill('Please leave a message.');
    await page.getByLabel('What happens at').fill(A_MONDAY_MORNING);
    await page
      .getByRole('group', { name: 'Route' })
      .getByRole('button', { name: /Assistant.*Robin/ })
      .waitFor();
    await page.getByText('The assistant “Robin” answers.').waitFor();
    await expectAccessible(page);
    await save(page, 'Incoming calls');

    const noAnswer = region(page, 'No answer');
    await noAnswer.getByLabel('Waiting time').selectOption('30');
    await noAnswer.getByLabel('Routing').selectOption('AssistantConfig');
    await assistantIn(noAnswer).selectOption({ label: 'Robin' });
    await fallbackIn(noAnswer).selectOption('RejectConfig');
    await noAnswer.getByLabel('Message').fill('Goodbye.');
    await save(page, 'No answer');
    expect(await saved()).toMatchObject({
      incoming_call_config: {
        assistant: { name: 'Robin' },
        fallback: { type: 'VoicemailConfig', greeting: 'Please leave a message.' },
      },
      outside_business_hours_config: {
        assistant: { name: 'Kim' },
        fallback: { type: 'WelcomeTransferConfig', employee_ids: [company.owner.id] },
      },
      no_answer_config: { assistant: { name: 'Robin' }, fallback: { type: 'RejectConfig', message: 'Goodbye.' } },
    });

    await incoming.getByLabel('Routing').selectOption('PhoneMenuConfig');
    await incoming.getByLabel('Welcome').fill('Press 1');
    await incoming.getByRole('button', { name: 'Add option' }).click();
    const option = incoming.getByRole('group', { name: 'Option 1' });
    await option.getByLabel('Action').selectOption('AssistantConfig');
    await assistantIn(option).selectOption({ label: 'Robin' });
    await fallbackIn(option).selectOption('ForwardConfig');
    await option.getByLabel('Phone number').fill('12');
    await incoming.getByRole('button', { name: 'Save' }).click();
    await isMarked(option.getByLabel('Phone number'), 'the number is marked');
    await option.getByLabel('Phone number').fill('+45 20 30 40 50');
    await save(page, 'Incoming calls');
    expect((await saved()).incoming_call_config.menu_options).toMatchObject([
      {
        digit: '1',
        action_type: 'AssistantConfig',
        assistant: { id: robin.id },
        fallback: { type: 'ForwardConfig', phone_number: '+4520304050' },
      },
    ]);
    await expectUsable(page);
  });
});
