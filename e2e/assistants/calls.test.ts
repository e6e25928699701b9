import { beforeAll, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import { LIMIT_MS } from '../calls/phone-company.ts';
import { type AssistantCompany, openAssistantCompany } from './assistant-company.ts';

let fixture: AssistantCompany;
let number: string;

beforeAll(async () => {
  fixture = await openAssistantCompany();
  await fixture.know('Parking', 'You can park behind the house, free of charge.', { questions: ['Where can I park?'] });
  number = await fixture.number(fixture.config);
});

it('a question that the company wrote an answer for is answered, and the call is resolved', async () => {
  const { legId, callId } = await fixture.callAssistant(number);
  const [first] = (await fixture.items(callId)).filter(({ speaker }) => speaker === 'assistant');
  expect(first?.spoken).toMatch(/^You are speaking with an automated assistant\. .*How can I help you\?$/);
  await fixture.say(legId, 'Where can I park my car?');
  const answer = await fixture.said(callId, /park behind the house/);
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
