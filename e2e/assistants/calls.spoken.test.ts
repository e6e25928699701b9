import { beforeAll, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import type { Employee } from '../calls/phone-company.ts';
import { LIMIT_MS } from '../calls/phone-company.ts';
import { type AssistantCompany, openAssistantCompany } from './assistant-company.ts';

/** A line is noisy, and words are heard wrong. */
const TRIES = 3;

let fixture: AssistantCompany;
let number: string;
let oliver: Employee;

beforeAll(async () => {
  fixture = await openAssistantCompany();
  oliver = await fixture.hire('Oliver', true);
  await fixture.know('Parking', 'You can park behind the house, free of charge.', { questions: ['Where can I park?'] });
  number = await fixture.number(fixture.config);
});

/** Asked again where a busy machine has torn the words apart. */
async function askWhereToPark() {
  const call = await fixture.callAssistant(number);
  for (let tries = 1; ; tries += 1) {
    const answer = await fixture.ask(call, 'Where can I park my car?');
    if (/park behind the house/.test(answer.spoken ?? '')) return { ...call, answer };
    if (tries === TRIES) throw new Error(`not understood: ${answer.text}`);
  }
}

it('a question that the company wrote an answer for is answered, and the call is resolved', async () => {
  const { legId, callId, answer } = await fixture.converse(askWhereToPark);
  const [first] = (await fixture.items(callId)).filter(({ speaker }) => speaker === 'assistant');
  expect(first?.spoken).toBe('Automated assistant. How can I help you?');
  expect(answer.sources).toEqual([{ type: 'knowledge_entry', id: expect.any(String) }]);
  expect(answer.response_ms).toBeGreaterThan(0);
  await fixture.hangUp(legId);
  const call = await fixture.state(callId, 'ended');
  expect(call).toMatchObject({ assistant: { name: 'Robin', state: 'left', outcome: 'resolved' } });
  const session = await waitUntil(
    async () => {
      const read = await fixture.session(callId);
      return read.summary ? read : undefined;
    },
    { what: 'a summary', timeoutMs: LIMIT_MS },
  );
  expect(session).toMatchObject({ state: 'ended', outcome: 'resolved', engine: 'embedded' });
  expect(session.items.map(({ sequence }: { sequence: number }) => sequence)).toEqual(
    session.items.map((_: unknown, at: number) => at + 1),
  );
});

it('a caller who asks for somebody is connected once that person has heard who calls', async () => {
  const { legId, callId } = await fixture.callAssistant(number);
  await fixture.say(legId, 'Could you connect me with Oliver?');
  await fixture.answer(oliver);
  const connected = await fixture.state(callId, 'bridged');
  expect(connected).toMatchObject({
    employees: [{ id: oliver.id }],
    answered_at: expect.any(String),
    assistant: { state: 'left', outcome: 'transferred' },
  });
  await fixture.item(
    callId,
    'the transfer',
    ({ action, result }) => action === 'transfer_call' && result === 'connected',
  );
  await fixture.over({ legId, callId });
});

it('a caller whose person declines is back with the assistant', async () => {
  const { legId, callId } = await fixture.callAssistant(number);
  await fixture.say(legId, 'Can I talk to Oliver?');
  await fixture.decline(oliver);
  const action = await fixture.item(
    callId,
    'the result',
    ({ action: name, result }) => name === 'transfer_call' && !!result,
  );
  expect(action.result).toBe('declined');
  await fixture.said(callId, /./, action.sequence);
  expect((await fixture.call(callId)).assistant).toMatchObject({ state: 'talking', outcome: null });
  await fixture.hangUp(legId);
  expect(await fixture.state(callId, 'ended')).toMatchObject({ assistant: { outcome: 'abandoned' } });
});

it('a caller who presses 0 goes on with the fallback', async () => {
  const { legId, callId } = await fixture.callAssistant(number);
  await fixture.press(legId, '0');
  await fixture.waitUntilHeard(legId, 'Please leave a message.');
  expect((await fixture.call(callId)).assistant).toMatchObject({
    state: 'left',
    outcome: 'fallback',
  });
  await fixture.over({ legId, callId });
});

it('an employee who takes over is connected with the caller, and the assistant leaves', async () => {
  const { legId, callId } = await fixture.callAssistant(number);
  const reply = await oliver.call('POST', `/calls/${callId}/takeover`);
  expect(reply).toMatchObject({ status: 201, body: { takeover: { employee: { id: oliver.id }, state: 'ringing' } } });
  await fixture.answer(oliver);
  expect(await fixture.state(callId, 'bridged')).toMatchObject({
    employees: [{ id: oliver.id }],
    assistant: { state: 'left', outcome: 'taken_over' },
  });
  expect((await oliver.call('POST', `/calls/${callId}/takeover`)).body.code).toBe('assistant_not_in_call');
  await fixture.over({ legId, callId });
});

it('a call to an assistant that is not active goes to the fallback without a greeting', async () => {
  await fixture.company.call('PATCH', `/assistants/${fixture.assistantId}`, { active: false });
  const legId = await fixture.dial(number);
  const callId = await fixture.callOf(legId);
  await fixture.waitUntilHeard(legId, 'Please leave a message.');
  expect((await fixture.call(callId)).assistant).toMatchObject({ outcome: 'fallback', state: 'left' });
  expect((await fixture.company.call('GET', `/calls/${callId}/assistant_session`)).status).toBe(404);
  await fixture.over({ legId, callId });
  await fixture.company.call('PATCH', `/assistants/${fixture.assistantId}`, { active: true });
});
