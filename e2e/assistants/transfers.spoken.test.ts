import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import type { Employee } from '../calls/phone-company.ts';
import { LIMIT_MS } from '../calls/phone-company.ts';
import { succeeded } from '../support/api.ts';
import { type AssistantCompany, openAssistantCompany } from './assistant-company.ts';

/** A line is noisy, and names are heard wrong. */
const TRIES = 3;
/** Until a message is understood and confirmed. */
const TURNS_MAX = 6;
const OUTSIDE = `+4532${String(process.pid % 1000).padStart(3, '0')}200`;

let fixture: AssistantCompany;
let number: string;
let oliver: Employee;
let anna: Employee;
let peter: Employee;

beforeAll(async () => {
  fixture = await openAssistantCompany({ transfer_targets: [{ name: 'the workshop', phone_number: OUTSIDE }] });
  oliver = await fixture.hire('Oliver', true);
  anna = await fixture.hire('Anna', true);
  peter = await fixture.hire('Peter', false);
  number = await fixture.number(fixture.config);
});
beforeEach(async () => {
  await Promise.all([fixture.waitUntilIdle(oliver), fixture.waitUntilIdle(anna)]);
});

const askFor = ({ name }: Employee) => `Could you connect me with ${name}?`;
/** A call whose caller has asked for somebody: once more where that was not understood. */
async function callFor(asked: string) {
  const call = await fixture.callAssistant(number);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { text } = await fixture.ask(call, asked);
    if (/reach/.test(text ?? '')) return call;
  }
  throw new Error(`${asked} was not understood`);
}
const legOf = async (employee: Employee) => (await fixture.phone(employee)).legs[0]!.leg_id;
/** Whoever has answered hears the assistant, and presses a key. */
async function pressDuringWhisper(employee: Employee, key: string): Promise<void> {
  const legId = await legOf(employee);
  await waitUntil(async () => (await fixture.leg(legId)).heard.some(({ kind }) => kind === 'party'), {
    what: 'the assistant',
    timeoutMs: LIMIT_MS,
  });
  await fixture.press(legId, key);
}
const results = async (callId: string) =>
  (await fixture.items(callId)).flatMap(({ action, result }) => (action === 'transfer_call' ? [result] : []));
/** The result of a transfer, counted from 1. */
const rung = (callId: string, count: number) =>
  waitUntil(
    async () =>
      (await fixture.items(callId)).filter(({ action, result }) => action === 'transfer_call' && result)[count - 1],
    { what: `result ${count}`, timeoutMs: LIMIT_MS },
  );
const endedSession = (callId: string) =>
  waitUntil(
    async () => {
      const session = await fixture.session(callId);
      return session.summary ? session : undefined;
    },
    { what: 'the end of the session', timeoutMs: LIMIT_MS },
  );

/** Conversations take their time: these are held at once. */
const stories = (...all: (() => Promise<void>)[]) => Promise.all(all.map((story) => fixture.converse(story)));

/** Who answers may decline with key 2; the same person is not rung a third time. */
async function declined(): Promise<void> {
  const call = await callFor(askFor(oliver));
  await fixture.answer(oliver);
  await pressDuringWhisper(oliver, '2');
  await fixture.said(call.callId, /Oliver cannot/);
  await fixture.say(call.legId, 'Please try Oliver again.');
  await fixture.decline(oliver);
  await fixture.said(call.callId, /Shall I|Would you/, (await rung(call.callId, 2)).sequence);
  await fixture.ask(call, 'Can I talk to Oliver?');
  expect((await fixture.phone(oliver)).legs).toEqual([]);
  expect(await results(call.callId)).toEqual(['declined', 'declined']);
  await fixture.over(call);
}

/** Nobody rings who is not there; a message is taken with a yes, not without. */
async function leavesMessage(): Promise<void> {
  const call = await callFor(askFor(peter));
  await fixture.said(call.callId, /not available|message/);
  expect(await results(call.callId)).toEqual(['unavailable']);
  await fixture.ask(call, 'Yes please.');
  let { text } = await fixture.ask(call, 'Please call me about the invoice. My name is Jane Hansen.');
  for (let turns = 0; turns < TURNS_MAX && !(await fixture.session(call.callId)).message; turns += 1) {
    const isConfirmed = text?.endsWith('Is that right?');
    ({ text } = await fixture.ask(call, isConfirmed ? 'Yes.' : 'My name is Jane Hansen.'));
    const { message, items } = await fixture.session(call.callId);
    if (!isConfirmed) expect({ message, items }).toMatchObject({ message: null });
  }
  expect((await fixture.session(call.callId)).message).toMatchObject({
    for: { id: peter.id },
    callback_requested: false,
  });
  await fixture.hangUp(call.legId);
  expect(await fixture.state(call.callId, 'ended')).toMatchObject({ assistant: { outcome: 'message_taken' } });
}

/** So long that a caller on a busy machine still interrupts it. */
const LONG_ANSWER =
  'You can park behind the house, free of charge, and charge your electric car there. The entrance is in the small street on the left, ' +
  'between the bakery and the library. Please take a ticket at the barrier, and show it at our front desk before you leave. In the ' +
  'evening the barrier is open, and nobody needs a ticket. Bicycles may stand in the yard, where there is a roof and a pump for them.';

/** An answer stops when the caller speaks; a text is sent after a yes. */
async function getsText(): Promise<void> {
  await fixture.allowTexts();
  await fixture.know('Parking', LONG_ANSWER, {
    questions: ['Where can I park?'],
    text: 'Parking: https://nordlys.example/parking',
  });
  await succeeded(
    fixture.company.call('PATCH', `/assistants/${fixture.assistantId}`, { actions: { send_text: true } }),
  );
  const from = `+452${String(process.pid).padStart(7, '0').slice(-7)}`;
  const call = await fixture.callAssistant(number, from);
  await fixture.say(call.legId, 'Where can I park?');
  await fixture.item(call.callId, 'the answer', ({ response_ms: ms, text }) => !!ms && /park behind/.test(text ?? ''));
  await fixture.ask(call, 'Are you open now?');
  const interrupted = (await fixture.items(call.callId)).find((item) => item.interrupted);
  expect(interrupted?.text?.startsWith(interrupted.spoken ?? 'nothing')).toBe(true);
  expect(interrupted?.spoken).not.toBe(interrupted?.text);
  await fixture.ask(call, 'Please send me a text.');
  await fixture.ask(call, 'Yes.');
  const { body: texts } = await fixture.sandbox('GET', `/messages?to=${encodeURIComponent(from)}`);
  expect(texts).toMatchObject([{ from: number, text: 'Parking: https://nordlys.example/parking' }]);
  await fixture.over(call);
  expect(await endedSession(call.callId)).toMatchObject({ outcome: 'resolved' });
}

/** Key 1 connects the call before all was said; the employee ends it. */
async function connectedByKey(): Promise<void> {
  const { legId, callId } = await callFor(askFor(oliver));
  await fixture.answer(oliver);
  await pressDuringWhisper(oliver, '1');
  expect(await fixture.state(callId, 'bridged')).toMatchObject({ assistant: { outcome: 'transferred' } });
  await fixture.hangUp(await legOf(oliver));
  await fixture.state(callId, 'ended');
  await fixture.legState(legId, 'ended');
  expect(await endedSession(callId)).toMatchObject({ state: 'ended', outcome: 'transferred' });
  expect(await results(callId)).toEqual(['connected']);
}

/** Somebody takes over while somebody else rings. */
async function takenOver(): Promise<void> {
  const { legId, callId } = await callFor(askFor(oliver));
  await fixture.rings(oliver);
  const takeOver = (by: Employee) => by.call('POST', `/calls/${callId}/takeover`);
  expect((await takeOver(anna)).status).toBe(201);
  expect(await takeOver(oliver)).toMatchObject({ status: 409, body: { code: 'takeover_in_progress' } });
  expect((await anna.call('DELETE', `/calls/${callId}/takeover`)).status).toBe(204);
  await fixture.waitUntilIdle(anna);
  expect((await anna.call('POST', `/calls/${callId}/transfers`, { employee_id: anna.id })).body.code).toBe(
    'call_not_transferable',
  );
  expect((await takeOver(anna)).status).toBe(201);
  await fixture.answer(anna);
  expect(await fixture.state(callId, 'bridged')).toMatchObject({
    employees: [{ id: anna.id }],
    assistant: { outcome: 'taken_over' },
  });
  expect((await fixture.phone(oliver)).legs).toEqual([]);
  expect(await endedSession(callId)).toMatchObject({ outcome: 'taken_over' });
  expect(await results(callId)).toEqual(['failed']);
  await fixture.over({ legId, callId });
}

/** A phone outside is connected once its key 1 was pressed. */
async function connectedOutside(): Promise<void> {
  const { legId, callId } = await callFor('I would like to talk to the workshop.');
  const outside = `/subscribers/${encodeURIComponent(OUTSIDE)}/legs`;
  const leg = await waitUntil(
    async () =>
      (await fixture.sandbox('GET', outside)).body.find(({ state }: { state: string }) => state === 'ringing'),
    { what: 'the phone outside rings', timeoutMs: LIMIT_MS },
  );
  await fixture.sandbox('POST', `/legs/${leg.leg_id}/answer`);
  await waitUntil(async () => (await fixture.leg(leg.leg_id)).heard.length > 0, {
    what: 'a prompt',
    timeoutMs: LIMIT_MS,
  });
  await fixture.press(leg.leg_id, '1');
  expect(await fixture.state(callId, 'bridged')).toMatchObject({
    employees: [],
    assistant: { outcome: 'transferred' },
  });
  await fixture.over({ legId, callId });
}

it('callers who are declined, leave a message and get a text', () => stories(declined, leavesMessage, getsText));

it('callers who are connected by key 1, by a phone outside, and by somebody who takes over', async () => {
  await stories(connectedByKey, connectedOutside);
  await takenOver();
});

it('a caller who hangs up while somebody rings stops the ringing within a second', async () => {
  const { legId, callId } = await callFor(askFor(oliver));
  await fixture.rings(oliver);
  const hungUpAt = performance.now();
  await fixture.hangUp(legId);
  await waitUntil(async () => (await fixture.phone(oliver)).legs.length === 0, { what: 'silence', timeoutMs: 1000 });
  expect(performance.now() - hungUpAt).toBeLessThan(1000);
  expect(await fixture.state(callId, 'ended')).toMatchObject({ assistant: { outcome: 'abandoned' } });
  expect(await endedSession(callId)).toMatchObject({ outcome: 'abandoned' });
  expect(await results(callId)).toEqual(['failed']);
});
