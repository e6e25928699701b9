import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { clampSample, resample, toFloat32, writeWav } from '@parley/audio';
import { type AssistantCompany, openAssistantCompany } from '../assistants/assistant-company.ts';
import type { Employee } from '../calls/phone-company.ts';
import { PASSWORD } from '../identity/people.ts';
import { browserPath } from '../identity/real-browser.ts';
import { operate, sharedStack, succeeded } from '../support/api.ts';
import {
  dashboardBrowser,
  describeInBrowser,
  expectAccessible,
  expectNoInjection,
  expectUsable,
  INJECTION,
} from './dashboard-browser.ts';

/** Louder than a line without speech. */
const LOUD = 500;
const WAV_HEADER_BYTES = 44;
/** Samples a second of the audio of a phone, and of a browser's microphone. */
const [RATE, MICROPHONE_RATE] = [8000, 48_000];
const LIMIT = { timeout: 60_000 };
const DELIVERY =
  'We deliver within three working days. Deliveries are free above five hundred kroner, and below that they cost thirty nine.';

const browser = dashboardBrowser();
const microphoneFile = path.join(tmpdir(), `parley-microphone-${process.pid}.wav`);
const withMicrophone = dashboardBrowser(sharedStack(), microphoneFile);
let fixture: AssistantCompany;
let ada: Employee;
let number: string;
let page: Page;
/** What a caller has said. */
let spoken: Int16Array;

beforeAll(async () => {
  if (browserPath === undefined) return;
  fixture = await openAssistantCompany();
  ada = await fixture.hire('Ada', false);
  await succeeded(operate(fixture.stack, 'PUT', `/employees/${ada.id}/password`, { password: PASSWORD }));
  const targets = [{ name: 'Sales', employee_ids: [ada.id] }];
  await succeeded(
    fixture.company.call('PATCH', `/assistants/${fixture.assistantId}`, {
      transfer_targets: targets,
      silence_secs: 20,
    }),
  );
  await fixture.know('Parking', 'You can park behind the house.', { questions: ['Where can I park?'] });
  await fixture.know('Delivery', DELIVERY, { questions: ['How fast do you deliver?', 'What does delivery cost?'] });
  number = await fixture.number(fixture.config);
  page = await browser.signIn(ada);
});

afterAll(() => rm(microphoneFile, { force: true }));

const log = () => page.getByRole('log', { name: 'Live transcript' });
const phone = () => page.getByRole('region', { name: 'Phone' });
const say = (legId: string, text: string) => fixture.say(legId, text);
const takeOver = () => page.getByRole('button', { name: 'Take over', exact: true });

describeInBrowser('calls with an assistant in the dashboard', () => {
  it('a call with an assistant in the dashboard is read while they speak, and taken over', async () => {
    const { legId, callId } = await fixture.callAssistant(number);
    await page.goto(`/dashboard/calls/${callId}`);
    await log()
      .getByText(/automated assistant/i)
      .waitFor(LIMIT);
    await page.getByText('Talks with Robin').waitFor();
    await page.getByRole('main').getByText('Assistant', { exact: true }).first().waitFor();
    await say(legId, 'What does delivery cost?');
    await log().getByText('What does delivery cost?').waitFor(LIMIT);
    await log().getByText('We deliver within three working days.').waitFor(LIMIT);
    await say(legId, 'Wait, stop. Where can I park my car?');
    await log().locator('s').filter({ hasText: 'thirty nine' }).waitFor(LIMIT);
    await log().getByText('You can park behind the house.').waitFor(LIMIT);
    await expectAccessible(page);

    await takeOver().click();
    await page.getByRole('alert').getByText('None of your phones can ring now.').waitFor();
    await phone().getByRole('switch', { name: 'Available for calls' }).click();
    await fixture.status(ada, 'available');
    await takeOver().click();
    const incoming = page.getByRole('alertdialog', { name: 'Incoming call' });
    await incoming.waitFor(LIMIT);
    await page.getByRole('main').getByRole('button', { name: 'Withdraw' }).click(LIMIT);
    await incoming.waitFor({ state: 'detached', ...LIMIT });
    await fixture.waitUntilIdle(ada);

    await page.goto('/dashboard/live');
    const callers = page.getByRole('region', { name: 'With an assistant' });
    await log().getByText('You can park behind the house.').waitFor(LIMIT);
    await expectUsable(page);
    await callers.getByRole('button', { name: 'Take over' }).click(LIMIT);
    await phone().getByRole('button', { name: 'Answer', exact: true }).click(LIMIT);
    await page.getByRole('region', { name: 'Current call' }).waitFor(LIMIT);
    await fixture.state(callId, 'bridged');
    await callers.waitFor({ state: 'detached', ...LIMIT });
    await fixture.over({ legId, callId });
    spoken = await firstSentenceOf(legId);

    await page.goto(`/dashboard/calls/${callId}`);
    const conversation = page.getByRole('region', { name: 'Conversation with Robin' });
    await conversation.getByText('Taken over by an employee').waitFor(LIMIT);
    await conversation.getByText('Ada wants to take over').first().waitFor();
    await conversation.locator('s').filter({ hasText: 'thirty nine' }).waitFor();
  }, 300_000);

  it('a message that an assistant took is shown with what was said, and can be answered', async () => {
    const from = '+4520304077';
    await succeeded(fixture.company.call('POST', '/contacts', { phone: from, company_name: INJECTION }));
    const { legId, callId } = await fixture.callAssistant(number, from);
    await say(legId, 'Can I leave a message?');
    const asked = await fixture.said(callId, /message/i, 3);
    await say(legId, 'My name is Jane. Please send me a new quote for the kitchen table.');
    await fixture.said(callId, /(right|correct)\?$/, asked.sequence);
    await say(legId, 'Yes.');
    const taken = await fixture.item(callId, 'a message', ({ result }) => result === 'taken');
    await fixture.said(callId, /./, taken.sequence);
    await fixture.over({ legId, callId });
    expect((await fixture.call(callId)).assistant.outcome).toBe('message_taken');
    await page.goto(`/dashboard/calls/${callId}`);
    const message = page.getByRole('region', { name: 'Message' });
    await message.getByText('kitchen table').waitFor(LIMIT);
    const conversation = page.getByRole('region', { name: 'Conversation with Robin' });
    await conversation.getByText('Took a message', { exact: true }).waitFor();
    await conversation.getByText('Message taken').waitFor();
    await expectNoInjection(page);
    await expectUsable(page);
    await message.getByRole('button', { name: 'Call back' }).waitFor();
    await message.getByRole('link', { name: 'Reply by text' }).click();
    await page.getByRole('textbox', { name: 'Message' }).waitFor(LIMIT);
    expect(decodeURIComponent(page.url())).toContain(`/dashboard/inbox/${from}`);
    const activity = page.getByRole('log', { name: 'Activity' });
    await activity.getByText('Message taken').waitFor(LIMIT);
    await page.getByRole('list', { name: 'Threads' }).getByText('kitchen table').waitFor(LIMIT);
    await expectAccessible(page);
  }, 300_000);

  it('the sandbox makes a browser the customer’s phone, and who is rung by the assistant reads who calls, and why', async () => {
    await writeFile(microphoneFile, microphoneOf(spoken));
    await page.goto('/dashboard/settings');
    await fixture.status(ada, 'available');
    const customer = await withMicrophone.signIn(ada, '/dashboard/sandbox');
    const microphone = customer.getByRole('button', { name: 'Talk with your microphone' });
    await microphone.click();
    await customer.getByText('The microphone is ready: call.').waitFor(LIMIT);
    const call = customer.getByRole('region', { name: 'Call a business number', exact: true });
    await call.getByLabel('From').fill('+4520304079');
    await call.getByRole('button', { name: 'Call a business number' }).click();
    await customer.getByText('You are the customer: you talk with your microphone.').waitFor(LIMIT);
    const said = customer.getByRole('log', { name: 'Live transcript' });
    await said.getByText('What does delivery cost?').first().waitFor(LIMIT);
    await said.getByText('We deliver within three working days.').first().waitFor(LIMIT);
    await call
      .getByRole('list', { name: 'Heard' })
      .getByText(/three working days/i)
      .first()
      .waitFor(LIMIT);
    await expectAccessible(customer);

    await microphone.click();
    await call.getByLabel('Say').fill('I would like to talk to the sales team about a new kitchen.');
    await call.getByRole('button', { name: 'Say' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Incoming call' });
    await dialog.getByText('transferred by Robin').waitFor(LIMIT);
    await dialog.getByText('kitchen').waitFor(LIMIT);
    await expectAccessible(page);
    await phone().getByRole('button', { name: 'Answer', exact: true }).click();
    await page.getByRole('region', { name: 'Current call' }).waitFor(LIMIT);
    await call.getByRole('button', { name: 'Hang up' }).click();
    await customer.context().close();
  }, 300_000);
});

/** The first sentence that a phone has said; what it hears is on the right. */
async function firstSentenceOf(legId: string): Promise<Int16Array> {
  const file = await fetch(`${fixture.stack.sandbox_url}/legs/${legId}/audio`);
  const audio = Buffer.from(await file.arrayBuffer());
  const samples: number[] = [];
  for (let at = WAV_HEADER_BYTES; at + 4 <= audio.length; at += 4) samples.push(audio.readInt16LE(at));
  const first = samples.findIndex(isLoud);
  let last = first;
  for (let at = first; at - last < RATE; at++) if (isLoud(samples[at] ?? 0)) last = at;
  return Int16Array.from(samples.slice(first - RATE / 10, last + RATE / 10));
}

const isLoud = (sample: number) => Math.abs(sample) > LOUD;

/** A file for a microphone that plays it again and again. */
function microphoneOf(samples: Int16Array): Buffer {
  const file = new Int16Array(20 * MICROPHONE_RATE);
  const heard = resample(toFloat32(samples), RATE, MICROPHONE_RATE);
  file.set(
    heard.map((sample) => clampSample(sample * 32_768)),
    2 * MICROPHONE_RATE,
  );
  return writeWav([file], MICROPHONE_RATE);
}
