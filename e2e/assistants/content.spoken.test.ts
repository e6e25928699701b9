import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import WebSocket from 'ws';
import { fromBufferPromise } from 'yauzl';
import { type Employee, LIMIT_MS } from '../calls/phone-company.ts';
import { operate, sharedDataDir, succeeded } from '../support/api.ts';
import { placesWith } from '../support/stored-bytes.ts';
import { type AssistantCompany, openAssistantCompany } from './assistant-company.ts';

const digits = () => Math.floor(Math.random() * 10);
/** Unique on the stack. */
const newPerson = () => `+452${Array.from({ length: 7 }, digits).join('')}`;
/** A line is noisy, and words are heard wrong. */
const TRIES = 3;
const EVENTS = [
  'call.ended',
  'call.lost',
  'call.transcription_done',
  'assistant.session_started',
  'assistant.message_taken',
  'assistant.session_ended',
];

let fixture: AssistantCompany;
let person: string;
let oliver: Employee;
let callId: string;
/** The message, as it was understood. */
let words: string;
let hook: string;
let socket: WebSocket | undefined;
/** What the live channel has sent. */
const live: string[] = [];

function openLive(): WebSocket {
  const { company, stack } = fixture;
  const opened = new WebSocket(`${stack.base_url.replace('http', 'ws')}/cable`, ['actioncable-v1-json'], {
    headers: { 'X-Api-Key': company.apiKey },
  });
  opened.on('error', () => undefined);
  opened.on('message', (data) => {
    const text = String(data);
    live.push(text);
    const identifier = JSON.stringify({ channel: 'CallsChannel' });
    if (text.includes('welcome')) opened.send(JSON.stringify({ command: 'subscribe', identifier }));
  });
  return opened;
}

/** One call, in which a message is taken for somebody. */
beforeAll(async () => {
  fixture = await openAssistantCompany();
  const { company, stack } = fixture;
  oliver = await fixture.hire('Oliver', false);
  const off = { email: false, push: false };
  const chosen = {
    missed_call: off,
    voicemail: off,
    text: off,
    assigned: off,
    assistant: { email: true, push: false },
  };
  await succeeded(oliver.call('PUT', `/employees/${oliver.id}/notifications`, chosen));
  hook = `/hooks/assistant-content-${process.pid}`;
  const url = `${stack.sandbox_url}${hook}`;
  await succeeded(company.call('POST', '/webhooks', { name: 'Content', url, events: EVENTS }));
  const number = await fixture.number(fixture.config);
  await waitUntil(
    () => {
      // A connection that the gateway has ended is opened again.
      if (!socket || socket.readyState === WebSocket.CLOSED) socket = openLive();
      return live.some((text) => text.includes('confirm_subscription'));
    },
    { what: 'the live channel', timeoutMs: LIMIT_MS },
  );

  const call = await fixture.converse(async () => {
    person = newPerson();
    await succeeded(company.call('POST', '/contacts', { phone: person, name: 'Jane Hansen' }));
    const begun = await fixture.callAssistant(number, person);
    for (let tries = 0; tries < TRIES; tries += 1) {
      const { text } = await fixture.ask(begun, 'Please tell Oliver that the bicycle is broken.');
      if (text?.includes('for Oliver') || text?.includes('to Oliver')) break;
    }
    await fixture.ask(begun, 'Yes, that is right.');
    return begun;
  });
  callId = call.callId;
  await fixture.item(callId, 'the message', ({ action, result }) => action === 'take_message' && result === 'taken');
  const report = (await company.call('GET', '/reports/live')).body;
  expect(JSON.stringify(report)).toContain('"assistant":{"name":"Robin"');
  words = (await fixture.session(callId)).message.text;
  await fixture.hangUp(call.legId);
  await fixture.state(callId, 'ended');
}, 3 * LIMIT_MS);
afterAll(() => socket?.close());

const transcribed = () =>
  waitUntil(
    async () => {
      const call = await fixture.call(callId);
      return call.transcription_segments && call.summary ? call : undefined;
    },
    { what: 'the transcript', timeoutMs: LIMIT_MS },
  );
const deliveries = async () =>
  ((await fixture.sandbox('GET', hook)).body as { body: { event: string; data: any } }[]).map(({ body }) => body);
const delivered = (event: string) =>
  waitUntil(async () => (await deliveries()).find((one) => one.event === event && one.data.id === callId), {
    what: event,
    timeoutMs: LIMIT_MS,
  });

it('a call with an assistant has its turns as the transcript, a summary, a timeline, and is found by them', async () => {
  const call = await transcribed();
  const speakers = new Set(call.transcription_segments.map(({ speaker }: { speaker: string }) => speaker));
  expect([...speakers].toSorted()).toEqual([person, 'Robin'].toSorted());
  expect(call.transcription).toContain(words);
  expect(call.summary).toMatch(/^Jane Hansen called\. .*Message for Oliver: .*Left to do: answer the message/);
  expect(call.assistant).toMatchObject({ name: 'Robin', state: 'left', outcome: 'message_taken', engine: 'embedded' });
  const found = await waitUntil(
    async () => {
      const { body } = await succeeded(fixture.company.call('GET', `/calls?query=${encodeURIComponent(words)}`));
      return body.calls.length > 0 ? body.calls : undefined;
    },
    { what: 'the search', timeoutMs: LIMIT_MS },
  );
  expect(found).toMatchObject([{ id: callId }]);
  const { body: timeline } = await fixture.company.call('GET', `/calls/${callId}/timeline`);
  expect(timeline.entries.filter(({ type }: { type: string }) => type === 'assistant').length).toBeGreaterThan(3);
});

it('a message for an employee is the preview of its thread, assigns it, waits to be seen, and is mailed', async () => {
  const { company } = fixture;
  const thread = await waitUntil(
    async () => {
      const { body } = await succeeded(company.call('GET', '/inbox'));
      const found = body.threads.find(({ phone_number }: { phone_number: string }) => phone_number === person);
      return found?.assignee && found.preview === words ? found : undefined;
    },
    { what: 'the thread', timeoutMs: LIMIT_MS },
  );
  expect(thread).toMatchObject({ assignee: { id: oliver.id }, unseen_count: 1 });
  const { body } = await company.call('GET', `/inbox/${encodeURIComponent(person)}/activity`);
  expect(body.items).toMatchObject([
    { id: callId, missed: false, seen_at: null, assistant: { name: 'Robin', outcome: 'message_taken' } },
  ]);
  const mail = await waitUntil(
    async () => {
      const mails = await fixture.sandbox('GET', `/emails?to=${encodeURIComponent(oliver.email)}`);
      return (mails.body as { subject: string; text: string }[]).find(({ subject }) =>
        subject.startsWith('Message from'),
      );
    },
    { what: 'the e-mail', timeoutMs: LIMIT_MS },
  );
  expect(mail.text).toContain(words);
});

it('webhooks have the call and the session without its items, and the end of the call what was said', async () => {
  const started = await delivered('assistant.session_started');
  expect(started.data.session).toMatchObject({ call_id: callId, message: null, summary: null, outcome: null });
  const taken = await delivered('assistant.message_taken');
  expect(taken.data.session.message).toMatchObject({
    for: { id: oliver.id, name: 'Oliver' },
    callback_requested: false,
  });
  const over = await delivered('assistant.session_ended');
  expect(over.data.session).toMatchObject({
    state: 'ended',
    outcome: 'message_taken',
    caller: { name: 'Jane Hansen' },
  });
  expect(over.data.session.items).toBeUndefined();
  const call = await transcribed();
  expect(over.data.session.summary).toBe(call.summary);
  const ended = await delivered('call.ended');
  expect(ended.data).toMatchObject({ summary: call.summary, transcription: call.transcription });
  expect((await deliveries()).map(({ event }) => event)).not.toContain('call.lost');
});

it('reports, usage and the live channel count the session and have no word of it', async () => {
  const totals = await waitUntil(
    async () => {
      const { body } = await succeeded(fixture.company.call('GET', '/reports/calls'));
      return body.totals.assisted > 0 ? body.totals : undefined;
    },
    { what: 'the report', timeoutMs: LIMIT_MS },
  );
  expect(totals).toMatchObject({ assistant_resolved: 0, answered: 0 });
  const month = new Date().toISOString().slice(0, 7);
  const { body } = await operate(fixture.stack, 'GET', `/usage?month=${month}`);
  const own = body.usage.find(({ company_id }: { company_id: string }) => company_id === fixture.company.id);
  const { usage } = await fixture.session(callId);
  expect(own.assistant_minutes).toBeGreaterThanOrEqual(Math.ceil(usage.seconds / 60));
  expect(own.assistant_tokens).toBe(0);
  const updates = live.filter((text) => text.includes('assistant_update') && text.includes(callId));
  expect(updates.length).toBeGreaterThan(3);
  expect(JSON.parse(updates[0]!).message).toEqual({ type: 'assistant_update', call_id: callId });
  expect(live.join('\n')).not.toContain(words);
});

// The databases of other engines are not in the directory of the stack.
const itEmbedded = process.env['PARLEY_TEST_ENGINES'] === 'containers' ? it.skip : it;
itEmbedded('what was said is readable in no database, event, log or entry of the audit log', async () => {
  await transcribed();
  expect(await placesWith(words)).toEqual([]);
  const directory = path.join(sharedDataDir(), 'logs');
  const logs = await readdir(directory).catch(() => []);
  for (const name of logs) expect(await readFile(path.join(directory, name), 'utf8')).not.toContain(words);
  expect((await fixture.company.call('GET', '/audit_events?limit=100')).text).not.toContain(words);
});

it('the export of a person has the session, and the erasure removes it', async () => {
  const { company } = fixture;
  const requested = await succeeded(company.call('POST', '/privacy/exports', { phone_number: person }));
  const { body: exported } = await succeeded(company.call('GET', `/privacy/exports/${requested.body.id}`));
  const zip = await fromBufferPromise(Buffer.from(await (await fetch(exported.url)).arrayBuffer()));
  const files: Record<string, string> = {};
  for await (const entry of zip.eachEntry())
    files[entry.fileName] = String(await buffer(await zip.openReadStreamPromise(entry)));
  expect(JSON.parse(files['assistant/sessions.json']!)).toMatchObject([
    { call_id: callId, message: { text: words }, items: expect.any(Array) },
  ]);

  const { body: erasure } = await succeeded(company.call('POST', '/privacy/erasures', { phone_number: person }));
  const done = await waitUntil(
    async () => {
      const { body } = await company.call('GET', `/privacy/erasures/${erasure.id}`);
      return body.state === 'done' ? body : undefined;
    },
    { what: 'the erasure', timeoutMs: LIMIT_MS },
  );
  // Also what was not understood, as an unanswered question.
  const { removed } = done.parts.find(({ name }: { name: string }) => name === 'assistant');
  expect(removed).toBeGreaterThan(0);
  expect((await company.call('GET', `/calls/${callId}/assistant_session`)).status).toBe(404);
  expect(await fixture.call(callId)).toMatchObject({ from: 'erased', summary: null, transcription: null });
  expect((await company.call('GET', `/calls?query=${encodeURIComponent(words)}`)).body.calls).toEqual([]);
  expect((await company.call('GET', '/inbox')).text).not.toContain(words);
});
