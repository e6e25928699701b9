import { waitUntil } from '@parley/testkit/wait-until';
import { type AssistantCompany, openAssistantCompany } from '../assistants/assistant-company.ts';
import { createNumber } from '../business-numbers/create-number.ts';
import { type Employee, LIMIT_MS } from '../calls/phone-company.ts';
import { operate, sandbox, succeeded } from '../support/api.ts';
import type { LocalJson } from '../support/local-stack.ts';
import { type Arrived, openHook } from '../webhooks/hooks.ts';
import { followLive, type LiveMessage } from './live-messages.ts';

const CUSTOMER = '+4520304050';
/** Conversations are transcribed one after the other. */
const EVENT_LIMIT_MS = 300_000;
/** A company in English: the voice of assistants and the words of callers. */
const ENGLISH = { language: 'en', name: 'Main line' };

export interface Caused {
  /** At the webhook. */
  readonly arrived: readonly Arrived[];
  /** On the live channel. */
  readonly live: readonly LiveMessage[];
}

/** Lets every type of event happen in one company; resolves with what it has received by then. */
export async function causeEvents(stack: LocalJson, types: readonly string[], tested: string): Promise<Caused> {
  const fixture = await openAssistantCompany({}, stack);
  const { company } = fixture;
  await fixture.allowTexts();
  const hook = openHook(company, stack);
  const live = followLive(stack, company);
  const subscription = { name: 'CRM', url: hook.url, events: types };
  const { body: webhook } = await succeeded(company.call('POST', '/webhooks', subscription));
  await succeeded(company.call('POST', `/webhooks/${webhook.id}/test`));

  await changeContacts(fixture);
  await changeRegistrations(stack, fixture);
  const ada = await fixture.hire('Ada', true);
  const mainLine = await fixture.number({ type: 'TransferConfig', employee_ids: [ada.id] }, { details: ENGLISH });
  await exchangeTexts(stack, fixture, mainLine);
  await handleThread(fixture, ada);
  await talk(fixture, mainLine, ada);
  await loseCall(fixture, mainLine, ada);
  await leaveVoicemail(fixture);
  await talkToAssistant(fixture);

  const missing = (arrived: readonly Arrived[]) =>
    [...types, tested].filter((type) => !arrived.some(({ body }) => body.event === type));
  const arrived = await waitUntil(
    async () => {
      const now = await hook.arrived();
      return missing(now).length === 0 && now;
    },
    { what: 'an event of each type', timeoutMs: EVENT_LIMIT_MS },
  ).catch(async (error: unknown) => {
    throw new Error(`missing: ${missing(await hook.arrived()).join(', ')}`, { cause: error });
  });
  live.close();
  return { arrived, live: live.messages };
}

async function changeContacts({ company }: AssistantCompany): Promise<void> {
  const fields = { phone: CUSTOMER, name: 'Ane Vinter', email: 'ane@vinter.example', note: 'Prefers mornings' };
  await succeeded(company.call('POST', '/contacts', fields));
  const { body: other } = await succeeded(company.call('POST', '/contacts', { phone: '+4520304051', name: 'Bo' }));
  await succeeded(company.call('PATCH', `/contacts/${other.id}`, { company_name: 'Vinter ApS' }));
  await succeeded(company.call('DELETE', `/contacts/${other.id}`));
}

async function changeRegistrations(stack: LocalJson, { company }: AssistantCompany): Promise<void> {
  for (const [status, reason] of [['approved'], ['rejected', 'The proof of address is missing.']]) {
    const { body: number } = await createNumber(company, { registration_status: 'pending' }, stack);
    const path = `/business_numbers/${number.id}/registration`;
    await succeeded(operate(stack, 'PUT', path, { status: 'submitted' }));
    await succeeded(operate(stack, 'PUT', path, { status, reason }));
  }
}

async function exchangeTexts(stack: LocalJson, fixture: AssistantCompany, to: string): Promise<void> {
  await fixture.sandbox('POST', '/messages', { from: CUSTOMER, to, text: 'Are you open on Saturday?' });
  const text = { to: CUSTOMER, text: 'Yes, from ten to two.', idempotency_key: 'saturday-1' };
  await succeeded(fixture.company.call('POST', `/business_numbers/${fixture.numberId(to)}/messages`, text));
  const submitted = await waitUntil(
    async () => {
      const { body } = await sandbox(stack, 'GET', `/messages?to=${encodeURIComponent(CUSTOMER)}`);
      return (body as { from: string; provider_id: string }[]).find(({ from }) => from === to);
    },
    { what: 'a submitted text' },
  );
  await fixture.sandbox('POST', `/messages/${submitted.provider_id}/delivery_report`, { status: 'delivered' });
}

async function handleThread({ company }: AssistantCompany, assignee: Employee): Promise<void> {
  const path = `/inbox/${encodeURIComponent(CUSTOMER)}`;
  await waitUntil(async () => (await company.call('PATCH', path, { assignee_id: assignee.id })).status === 200, {
    what: 'a thread',
  });
  await succeeded(company.call('PATCH', path, { state: 'done' }));
}

/** A caller waits, talks with an employee, is put on hold and comes back. */
async function talk(fixture: AssistantCompany, number: string, employee: Employee): Promise<void> {
  const legId = await fixture.dial(number, CUSTOMER);
  const callId = await fixture.callOf(legId);
  const { leg_id: employeeLeg } = await fixture.rings(employee);
  await fixture.sandbox('POST', `/phones/${employee.id}/answer`);
  await fixture.state(callId, 'bridged');
  await speak(fixture, legId, 'I would like a refund for my damaged shoes.');
  for (const on of [true, false]) await succeeded(employee.call('PUT', `/calls/${callId}/hold`, { on }));
  await speak(fixture, employeeLeg, 'We will send you the money on Monday.');
  await fixture.hangUp(legId);
  await fixture.state(callId, 'ended');
  const note = { note: 'Refund by Monday.', tags: ['Refund'] };
  await succeeded(fixture.company.call('PATCH', `/calls/${callId}`, note));
  await fixture.waitUntilIdle(employee);
}

/** A machine that has just started a stack may be too busy to speak. */
const speak = ({ stack }: AssistantCompany, legId: string, text: string) =>
  waitUntil(async () => (await sandbox(stack, 'POST', `/legs/${legId}/say`, { text })).status < 300, {
    what: 'a voice',
    timeoutMs: LIMIT_MS,
  });

async function loseCall(fixture: AssistantCompany, number: string, employee: Employee): Promise<void> {
  const legId = await fixture.dial(number, CUSTOMER);
  const callId = await fixture.callOf(legId);
  await fixture.rings(employee);
  await fixture.over({ legId, callId });
}

async function leaveVoicemail(fixture: AssistantCompany): Promise<void> {
  const closed = { type: 'VoicemailConfig', greeting: 'We are closed. Please leave a message.' };
  const number = await fixture.number({ type: 'RejectConfig', message: 'Goodbye.' }, { closed, details: ENGLISH });
  const legId = await fixture.dial(number, CUSTOMER);
  const callId = await fixture.callOf(legId);
  await fixture.state(callId, 'recording');
  await speak(fixture, legId, 'Please call me back about the order.');
  await fixture.over({ legId, callId });
}

async function talkToAssistant(fixture: AssistantCompany): Promise<void> {
  const number = await fixture.number(fixture.config, { details: ENGLISH });
  const call = await fixture.converse(async () => {
    const begun = await fixture.callAssistant(number, CUSTOMER);
    await fixture.ask(begun, 'Please tell Ada that the order has arrived.');
    await fixture.ask(begun, 'Yes, that is right.');
    return begun;
  });
  const isTaken = ({ action, result }: { action?: string; result?: string | null }) =>
    action === 'take_message' && result === 'taken';
  await fixture.item(call.callId, 'the message', isTaken);
  await fixture.over(call);
}
