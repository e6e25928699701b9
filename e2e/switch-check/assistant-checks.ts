import assert from 'node:assert/strict';
import { waitUntil } from '@parley/testkit/wait-until';
import { succeeded } from '../support/api.ts';
import { speech } from './check-audio.ts';
import type { CheckEnvironment } from './check-environment.ts';
import {
  type Checks,
  CUSTOMER_HERTZ,
  EMPLOYEE_HERTZ,
  eventually,
  expectTone,
  type Given,
  talks,
  untilEnded,
} from './check-fixture.ts';
import { loudness, pitch } from './pitch.ts';
import type { PhoneCall } from './sip-phone.ts';

/** What callers say, in the product's own voice. */
const SENTENCES = {
  question: 'Where can I park my car?',
  transfer: 'Can you connect me with the sales department please?',
} as const;
type Sentence = keyof typeof SENTENCES;

/** A number that an assistant answers. */
interface Answered {
  readonly number: string;
  say(customer: PhoneCall, sentence: Sentence): Promise<void>;
}

interface Item {
  readonly type: string;
  readonly speaker?: string;
  readonly text?: string | null;
  readonly spoken?: string | null;
  readonly response_ms?: number | null;
  readonly event?: string;
  readonly action?: string;
  readonly result?: string | null;
}

const VOICE_LOUDNESS = 300;
const answered = new WeakMap<CheckEnvironment, Promise<Answered>>();

/** The number of all checks: it is made by the first one. */
function answeredNumber(given: Given): Promise<Answered> {
  const known = answered.get(given.env) ?? makeNumber(given);
  answered.set(given.env, known);
  return known;
}

async function makeNumber(given: Given): Promise<Answered> {
  const { ada, env } = given;
  const { company } = env.company;
  await succeeded(
    company.call('POST', '/knowledge_entries', {
      title: 'Parking',
      answer: 'You can park behind the house, free of charge.',
      questions: ['Where can I park?'],
    }),
  );
  const { body: assistant } = await succeeded(
    company.call('POST', '/assistants', {
      name: 'Robin',
      greeting: 'Welcome to Nordlys. How can I help you?',
      transfer_targets: [{ name: 'Sales', aliases: ['sales department'], employee_ids: [ada.id] }],
    }),
  );
  const fallback = { type: 'VoicemailConfig', greeting: 'Please leave a message after the tone.' };
  const config = { type: 'AssistantConfig', assistant_id: assistant.id, fallback };
  const number = await env.company.number(config, { details: { recording_enabled: true } });
  const names = Object.keys(SENTENCES) as Sentence[];
  const menu = {
    type: 'PhoneMenuConfig',
    welcome: 'Welcome.',
    menu_options: names.map((name, index) => ({
      digit: String(index + 1),
      action_type: 'VoicemailConfig',
      prompt: SENTENCES[name],
    })),
  };
  const spoken = await env.company.number(menu, { details: { language: 'en' } });
  const { body } = await succeeded(company.call('GET', `/business_numbers/${env.company.numberId(spoken)}`));
  const prompts = body.incoming_call_config.menu_options as { prompt_audio_url: string }[];
  const audio = await Promise.all(prompts.map(({ prompt_audio_url }) => speech(given, prompt_audio_url)));
  return {
    number,
    say: (customer, sentence) => customer.audio.speak(audio[names.indexOf(sentence)]!),
  };
}

async function itemsOf({ env }: Given, callId: string): Promise<Item[]> {
  const { body } = await env.company.company.call('GET', `/calls/${callId}/assistant_session?limit=100`);
  return body?.items ?? [];
}

async function itemOf(given: Given, callId: string, what: string, fits: (item: Item) => boolean): Promise<Item> {
  let items: Item[] = [];
  try {
    return await waitUntil(async () => (items = await itemsOf(given, callId)).find(fits), { what, timeoutMs: 30_000 });
  } catch {
    throw new Error(`not within 30 s: ${what}, but ${JSON.stringify(items)}`);
  }
}

const hears = ({ env }: Given, call: PhoneCall, what: string) =>
  env.until(what, () => loudness(call.audio.received(300)) > VOICE_LOUDNESS, 30_000);

/** A customer who has heard the greeting. */
async function greeted(given: Given): Promise<Answered & { customer: PhoneCall; callId: string }> {
  const answeredBy = await answeredNumber(given);
  const customer = await given.env.dial(answeredBy.number);
  await talks(given, customer);
  await hears(given, customer, 'the greeting');
  const callId = await given.env.callFrom(customer.from);
  await itemOf(given, callId, 'the greeting was said', ({ event }) => event === 'greeting');
  return { ...answeredBy, customer, callId };
}

async function asksForSales(given: Given) {
  await given.env.company.status(given.ada, 'available');
  const call = await greeted(given);
  await call.say(call.customer, 'transfer');
  await itemOf(given, call.callId, 'the transfer', ({ action }) => action === 'transfer_call');
  const ringing = await given.env.rings(given.adaPhone);
  assert.equal(given.env.callId(ringing), call.callId);
  return { ...call, ringing };
}

export const assistantChecks: Checks = {
  async 'an assistant greets, answers a question, and key 0 leads to the fallback'(given) {
    const { env } = given;
    const { customer, callId, say } = await greeted(given);
    await say(customer, 'question');
    const answer = await itemOf(given, callId, 'the answer', ({ spoken }) => /behind the house/.test(spoken ?? ''));
    assert.ok((answer.response_ms ?? Infinity) < 3000, `an answer after ${answer.response_ms} ms`);
    await customer.audio.press('0');
    await env.until('the beep', () => pitch(customer.audio.received(200), 1000) > 0.5, 30_000);
    customer.hangUp();
    await env.company.state(callId, 'ended');
    const { assistant } = await env.company.call(callId);
    assert.equal(assistant.outcome, 'fallback');
  },

  async 'an assistant connects a caller with whom an employee has accepted'(given) {
    const { env } = given;
    const { customer, callId, ringing } = await asksForSales(given);
    ringing.answer();
    await hears(given, ringing, 'who calls');
    await env.company.state(callId, 'bridged');
    customer.audio.tone(CUSTOMER_HERTZ);
    ringing.audio.tone(EMPLOYEE_HERTZ);
    await expectTone(given, customer, EMPLOYEE_HERTZ);
    await expectTone(given, ringing, CUSTOMER_HERTZ);
    customer.hangUp();
    await untilEnded(given, ringing);
    const call = await env.company.state(callId, 'ended');
    assert.equal(call.assistant.outcome, 'transferred');
    assert.deepEqual(
      call.employees.map(({ id }: { id: string }) => id),
      [given.ada.id],
    );
  },

  async 'a caller whose colleague declines is back with the assistant'(given) {
    const { env } = given;
    const { customer, callId, ringing } = await asksForSales(given);
    ringing.decline(486);
    const { result } = await itemOf(
      given,
      callId,
      'the result',
      (item) => item.action === 'transfer_call' && !!item.result,
    );
    assert.equal(result, 'declined');
    await hears(given, customer, 'what happened');
    assert.equal((await env.company.call(callId)).assistant.state, 'talking');
    customer.hangUp();
    await env.company.state(callId, 'ended');
  },

  async 'a caller who leaves the assistant while a colleague rings stops the ringing'(given) {
    const { customer, callId, ringing } = await asksForSales(given);
    const before = Date.now();
    customer.hangUp();
    await untilEnded(given, ringing);
    assert.ok(Date.now() - before < 1500, `it rang on for ${Date.now() - before} ms`);
    await given.env.company.state(callId, 'ended');
    await given.env.company.status(given.ada, 'available');
  },

  async 'an employee takes a caller over from the assistant'(given) {
    const { env, bob, bobPhone } = given;
    const { customer, callId } = await greeted(given);
    assert.equal((await bob.call('POST', `/calls/${callId}/takeover`)).status, 201);
    const phone = await env.rings(bobPhone);
    phone.answer();
    await env.company.state(callId, 'bridged');
    customer.audio.tone(CUSTOMER_HERTZ);
    phone.audio.tone(EMPLOYEE_HERTZ);
    await expectTone(given, customer, EMPLOYEE_HERTZ);
    await expectTone(given, phone, CUSTOMER_HERTZ);
    phone.hangUp();
    await untilEnded(given, customer);
    assert.equal((await env.company.call(callId)).assistant.outcome, 'taken_over');
    await eventually(given, callId, 'ended');
  },
};
