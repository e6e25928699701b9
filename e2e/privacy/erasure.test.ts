import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import { fromBufferPromise } from 'yauzl';
import { LIMIT_MS, openPhoneCompany, type PhoneCompany } from '../calls/phone-company.ts';
import { createTestCompany, operate, succeeded } from '../support/api.ts';
import { storedBytes } from '../support/stored-bytes.ts';

/** Speech is recognised by the local engine, after that of other tests. */
const SPEECH_LIMIT_MS = 5 * LIMIT_MS;
const digits = () => Math.floor(Math.random() * 10);
/** Unique on the stack. */
const PERSON = `+452${Array.from({ length: 7 }, digits).join('')}`;
const SAID = 'I would like to order twelve red bicycles for the orphanage in Roskilde.';
const LEFT = 'Hello, my telescope is broken. Please call me back about the repair.';
const TEXT = 'The marmalade was delivered to the lighthouse';
const NOTE = `Collects porcelain giraffes ${Math.random()}`;
const NAME = `Ane ${Math.random().toString(36).slice(2)}`;

let fixture: PhoneCompany;
let mailbox: string;
let spoken: string;
let open: { legId: string; callId: string };

beforeAll(async () => {
  fixture = await openPhoneCompany();
  const { company, stack } = fixture;
  await succeeded(operate(stack, 'PATCH', `/companies/${company.id}`, { messaging_enabled: true }));
  const url = `${stack.sandbox_url}/hooks/erasure-${process.pid}`;
  const events = ['contact.created', 'contact.updated', 'message.received', 'call.transcription_done'];
  await succeeded(company.call('POST', '/webhooks', { name: 'All', url, events }));
  const ada = await fixture.hire('Ada', true);
  const answered = await fixture.number({ type: 'TransferConfig', employee_ids: [ada.id] });
  mailbox = await fixture.number({ type: 'VoicemailConfig', greeting: 'Leave a message.' });
  const call = async (number: string) => {
    const legId = await fixture.dial(number, PERSON);
    return { legId, callId: await fixture.callOf(legId) };
  };
  const conversation = await call(answered);
  spoken = conversation.callId;
  await fixture.answer(ada);
  await fixture.state(spoken, 'bridged');
  await fixture.sandbox('POST', `/legs/${conversation.legId}/say`, { text: SAID });
  await fixture.over(conversation);
  const message = await call(mailbox);
  await fixture.state(message.callId, 'recording');
  await fixture.sandbox('POST', `/legs/${message.legId}/say`, { text: LEFT });
  await fixture.over(message);
  await fixture.sandbox('POST', '/messages', { from: PERSON, to: mailbox, text: TEXT });
  await succeeded(company.call('POST', '/contacts', { phone: PERSON, name: NAME, note: NOTE }));
  await waitUntil(
    async () => {
      const { body } = await company.call('GET', '/voicemails');
      return (await fixture.call(spoken)).summary && typeof body.voicemails?.[0]?.transcription === 'string';
    },
    { what: 'transcripts', timeoutMs: SPEECH_LIMIT_MS },
  );
  await fixture.status(ada, 'available');
  open = await call(answered);
  await fixture.answer(ada);
  await fixture.state(open.callId, 'bridged');
}, 2 * SPEECH_LIMIT_MS);

const erasureOf = async (id: string) => (await fixture.company.call('GET', `/privacy/erasures/${id}`)).body;
const whenDone = (id: string) =>
  waitUntil(
    async () => {
      const erasure = await erasureOf(id);
      return erasure.state === 'done' ? erasure : undefined;
    },
    { what: 'the end of the erasure', timeoutMs: LIMIT_MS },
  );

/** The files of an archive, by name. */
async function unzip(archive: Buffer): Promise<Record<string, Buffer>> {
  const zip = await fromBufferPromise(archive);
  const files: Record<string, Buffer> = {};
  for await (const entry of zip.eachEntry())
    files[entry.fileName] = await buffer(await zip.openReadStreamPromise(entry));
  return files;
}

let exported: { id: string; url: string };

describe('the export of a person', () => {
  it('the export of a person is an archive with everything that is stored of them', async () => {
    const { company } = fixture;
    const requested = await succeeded(company.call('POST', '/privacy/exports', { phone_number: PERSON }));
    expect(requested).toMatchObject({ status: 202, body: { id: expect.any(String), phone_number: PERSON } });
    exported = (await succeeded(company.call('GET', `/privacy/exports/${requested.body.id}`))).body;
    expect(exported).toMatchObject({ state: 'done', expires_at: expect.any(String), url: expect.any(String) });
    const reply = await fetch(exported.url);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/zip']);
    const files = await unzip(Buffer.from(await reply.arrayBuffer()));
    const json = (name: string) => JSON.parse(files[name]!.toString());
    expect(json('contact.json')).toMatchObject([{ name: NAME, note: NOTE }]);
    const calls: { id: string; transcription: string | null; audio: string[] }[] = json('calls.json');
    const ended = calls.find(({ id }) => id === spoken)!;
    expect(ended.transcription).toEqual((await fixture.call(spoken)).transcription);
    expect(files[ended.audio[0]!]!.subarray(0, 4).toString()).toBe('RIFF');
    const [voicemail] = json('voicemails.json');
    expect(voicemail.transcription).toEqual(expect.any(String));
    expect(files[voicemail.audio]!.subarray(0, 4).toString()).toBe('RIFF');
    expect(json('texts.json')).toMatchObject([{ text: TEXT }]);
    expect(json('thread.json')).toMatchObject([{ phone_number: PERSON, state: 'open' }]);
    expect(json('webhook_deliveries.json').length).toBeGreaterThan(0);
    expect(json('events.json').length).toBeGreaterThan(0);
    expect(json('comments.json')).toEqual([]);

    const entries = await waitUntil(
      async () => {
        const { body } = await succeeded(company.call('GET', `/audit_events?object_id=${exported.id}`));
        return body.audit_events.length >= 2 && body.audit_events;
      },
      { what: 'the entries of the export', timeoutMs: LIMIT_MS },
    );
    expect(entries).toMatchObject([
      { type: 'export.downloaded', actor: { credential: { type: 'api_key' } } },
      { type: 'export.requested', actor: { credential: { type: 'api_key' } } },
    ]);
  }, 200_000);

  it('the export of a person is of the company alone, of a phone number, and behind an address that nobody else wrote', async () => {
    const other = await createTestCompany(fixture.stack);
    expect((await other.call('GET', `/privacy/exports/${exported.id}`)).status).toBe(404);
    expect((await other.call('GET', '/privacy/exports/exp_unknown')).status).toBe(404);
    const refused = await other.call('POST', '/privacy/exports', { phone_number: 'nobody' });
    expect(refused).toMatchObject({ status: 422, body: { errors: { phone_number: ['is not a valid phone number'] } } });
    const forged = new URL(exported.url);
    forged.searchParams.set('for', 'api_key.key_other');
    for (const address of [forged, exported.url.split('?')[0]!, `${exported.url}x`])
      expect((await fetch(address)).status).toBe(404);
  });
});

describe('the erasure of a person', () => {
  it('the erasure of a person removes everything that is stored of them, and a call in progress once it has ended', async () => {
    const { company } = fixture;
    expect((await storedBytes()).includes(PERSON)).toBe(true);
    const requested = await company.call('POST', '/privacy/erasures', { phone_number: PERSON });
    expect(requested).toMatchObject({
      status: 202,
      body: { id: expect.any(String), phone_number: PERSON, state: 'running', done_at: null },
    });
    const { id } = requested.body;
    await waitUntil(async () => (await fixture.call(spoken)).from === 'erased', {
      what: 'the first call to be erased',
      timeoutMs: LIMIT_MS,
    });
    expect(await erasureOf(id)).toMatchObject({ state: 'running' });
    expect(await fixture.call(open.callId)).toMatchObject({ from: PERSON, state: 'bridged' });
    await fixture.over(open);
    const done = await whenDone(id);
    expect(done).toMatchObject({ id, phone_number: null, done_at: expect.any(String) });
    expect(done.parts.map(({ name, state }: { name: string; state: string }) => [name, state])).toEqual(
      ['call-control', 'assistant', 'messaging-inbox', 'directory', 'webhooks', 'reports'].map((name) => [
        name,
        'done',
      ]),
    );
    // No assistant answered this person. Reports have no people; only events that could not be counted do.
    const removed = done.parts.filter(({ name }: { name: string }) => name !== 'assistant' && name !== 'reports');
    expect(removed.every(({ removed: count }: { removed: number }) => count > 0)).toBe(true);

    expect(await fixture.call(spoken)).toMatchObject({ from: 'erased', summary: null, recording_url: null });
    expect(await fixture.call(open.callId)).toMatchObject({ from: 'erased', state: 'ended' });
    expect((await company.call('GET', '/voicemails')).body.voicemails).toEqual([]);
    expect((await company.call('GET', `/contacts?phone=${encodeURIComponent(PERSON)}`)).body).toEqual([]);
    expect((await company.call('GET', '/calls?query=bicycles')).body.calls).toEqual([]);
    expect((await company.call('GET', '/inbox')).text).not.toContain(PERSON);
    // An earlier export is gone too.
    expect((await company.call('GET', `/privacy/exports/${exported.id}`)).status).toBe(404);
    expect((await fetch(exported.url)).status).toBe(404);
  });

  // The databases of other engines are not in the directory of the stack.
  const itEmbedded = process.env['PARLEY_TEST_ENGINES'] === 'containers' ? it.skip : it;
  itEmbedded('the erasure of a person leaves neither the number nor the name in any database and event', async () => {
    const stored = await storedBytes();
    expect([PERSON, PERSON.slice(3), NAME, NOTE].filter((text) => stored.includes(text))).toEqual([]);
  });

  it('the erasure of a person is repeated without effect, and what arrives later is new', async () => {
    const { company } = fixture;
    const again = await company.call('POST', '/privacy/erasures', { phone_number: PERSON });
    const { parts } = await whenDone(again.body.id);
    expect(parts.map(({ removed }: { removed: number }) => removed)).toEqual([0, 0, 0, 0, 0, 0]);
    await fixture.sandbox('POST', '/messages', { from: PERSON, to: mailbox, text: 'Something new' });
    const path = `/inbox/${encodeURIComponent(PERSON)}/activity`;
    const items = await waitUntil(
      async () => {
        const { body } = await company.call('GET', path);
        return body.items?.length > 0 ? body.items : undefined;
      },
      { what: 'the new text', timeoutMs: LIMIT_MS },
    );
    expect(items).toMatchObject([{ text: 'Something new' }]);
  });

  it('the erasure of a person is of the company alone, and of a phone number', async () => {
    const other = await createTestCompany(fixture.stack);
    const { body } = await fixture.company.call('POST', '/privacy/erasures', { phone_number: '+4520999888' });
    expect((await other.call('GET', `/privacy/erasures/${body.id}`)).status).toBe(404);
    expect((await other.call('GET', '/privacy/erasures/era_unknown')).status).toBe(404);
    const refused = await other.call('POST', '/privacy/erasures', { phone_number: 'nobody' });
    expect(refused).toMatchObject({ status: 422, body: { errors: { phone_number: ['is not a valid phone number'] } } });
  });
});
