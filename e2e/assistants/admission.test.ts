import { beforeAll, expect, it } from '@jest/globals';
import type { Employee } from '../calls/phone-company.ts';
import { operate, succeeded } from '../support/api.ts';
import { type AssistantCompany, openAssistantCompany } from './assistant-company.ts';

let fixture: AssistantCompany;
let number: string;
let oliver: Employee;
let peter: Employee;

beforeAll(async () => {
  fixture = await openAssistantCompany();
  oliver = await fixture.hire('Oliver', true);
  peter = await fixture.hire('Peter', false);
  number = await fixture.number(fixture.config);
});

it.each([
  ['disabled', { enabled: false }],
  ['limit_minutes', { monthly_minutes: 0 }],
])('a call that the operator does not admit (%s) goes to the fallback without a greeting', async (reason, limits) => {
  const limit = (assistant: object) =>
    succeeded(operate(fixture.stack, 'PATCH', `/companies/${fixture.company.id}`, { assistant }));
  const { body } = await limit(limits);
  expect(body.assistant).toMatchObject(limits);
  const legId = await fixture.dial(number);
  const callId = await fixture.callOf(legId);
  await fixture.waitUntilHeard(legId, 'Please leave a message.');
  expect((await fixture.heard(legId)).filter((heard) => heard === 'voice')).toEqual([]);
  expect((await fixture.call(callId)).assistant).toMatchObject({ name: 'Robin', state: 'left', outcome: 'fallback' });
  const { entries } = (await fixture.company.call('GET', `/calls/${callId}/timeline`)).body;
  expect(entries).toContainEqual(
    expect.objectContaining({ type: 'assistant', what: 'session_refused', detail: reason }),
  );
  expect((await fixture.company.call('GET', `/calls/${callId}/assistant_session`)).status).toBe(404);
  await fixture.over({ legId, callId });
  await limit({ enabled: true, monthly_minutes: null });
});

it('a call with an assistant is announced as recorded first, is neither held, supervised nor transferred, and leaves by key 0', async () => {
  const path = `/business_numbers/${fixture.numberId(number)}`;
  const announcement = 'This call is recorded.';
  await succeeded(
    fixture.company.call('PATCH', path, { recording_enabled: true, recording_announcement: announcement }),
  );
  await succeeded(fixture.company.call('PATCH', '/company', { supervision_enabled: true }));
  const { legId, callId } = await fixture.callAssistant(number);
  const heard = (await fixture.heard(legId)).filter((what) => what === announcement || what === 'voice');
  expect([heard[0], heard.length > 1]).toEqual([announcement, true]);
  expect(await fixture.call(callId)).toMatchObject({ state: 'initiated', answered_at: null, queue_position: null });
  const of = (path: string) => `/calls/${callId}/${path}`;
  const transferred = await oliver.call('POST', of('transfers'), { employee_id: peter.id });
  expect(transferred).toMatchObject({ status: 409, body: { code: 'call_not_transferable' } });
  const notInConversation = { status: 409, body: { code: 'call_not_in_conversation' } };
  expect(await oliver.call('PUT', of('hold'), { on: true })).toMatchObject(notInConversation);
  expect(await fixture.company.call('POST', of('supervision'), { mode: 'listen' })).toMatchObject(notInConversation);
  const takenOver = await peter.call('POST', of('takeover'));
  expect(takenOver).toMatchObject({ status: 409, body: { code: 'employee_unavailable' } });
  await fixture.press(legId, '0');
  await fixture.waitUntilHeard(legId, 'Please leave a message.');
  expect(await fixture.session(callId)).toMatchObject({
    state: 'ended',
    outcome: 'fallback',
    fallback_reason: 'key',
    items: expect.arrayContaining([expect.objectContaining({ type: 'key', key: '0' })]),
  });
  await fixture.over({ legId, callId });
});
