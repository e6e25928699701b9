import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createNumber } from '../business-numbers/create-number.ts';
import { newIdempotencyKey, startTexting, type Texting } from '../messages/texting.ts';
import { createTestCompany, operate, sandbox, sharedStack, succeeded } from '../support/api.ts';
import { waitUntil } from '@parley/testkit/wait-until';

const stack = sharedStack();
const MICROSECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

let texting: Texting;
let ane: string;
beforeAll(async () => {
  texting = await startTexting(stack);
});
beforeEach(() => {
  ane = texting.customer();
});

const get = (path: string) => texting.company.call('GET', path);
const activity = async (phone: string, query = '') =>
  (await get(`/inbox/${encodeURIComponent(phone)}/activity${query}`)).body;
const markSeen = (phone: string, body: object) =>
  texting.company.call('POST', `/inbox/${encodeURIComponent(phone)}/seen`, body);
const thread = async (phone: string, query = '?limit=100') =>
  (await get(`/inbox${query}`)).body.threads.find(({ phone_number: number }: any) => number === phone);
const setMessaging = (enabled: boolean) =>
  succeeded(operate(stack, 'PATCH', `/companies/${texting.company.id}`, { messaging_enabled: enabled }));

/** A customer calls the number and hangs up; the call's id, once the inbox has it as missed. */
async function missCall(from: string): Promise<string> {
  const { body: leg } = await succeeded(sandbox(stack, 'POST', '/calls', { from, to: texting.number.number }));
  const callId = await waitUntil(
    async () => (await sandbox(stack, 'GET', `/legs/${leg.leg_id}`)).body.call_id as string | null,
    { what: 'the call', timeoutMs: 60_000 },
  );
  await succeeded(sandbox(stack, 'POST', `/legs/${leg.leg_id}/hangup`));
  await waitUntil(async () => (await thread(from))?.latest_item.missed === true, {
    what: 'the missed call',
    timeoutMs: 60_000,
  });
  return callId;
}

describe('the inbox', () => {
  it('the inbox has one thread per external number, with its latest item', async () => {
    const { body: sales } = await createNumber(texting.company, { name: 'Sales' }, stack);
    await texting.receive({ from: ane, text: 'To support' });
    await texting.receive({ from: ane, to: sales.number, text: 'To sales '.repeat(30) });
    const found = await thread(ane);
    expect(found).toMatchObject({
      contact: null,
      unseen_count: 2,
      reply_business_number_id: sales.id,
      preview: 'To sales '.repeat(30).slice(0, 160),
      latest_item: { type: 'message', format: 'sms', status: 'received', direction: 'inbound' },
    });
    expect(found.business_number_ids.toSorted()).toEqual([texting.number.id, sales.id].toSorted());
    const ofSupport = await thread(ane, `?business_number_id=${texting.number.id}`);
    expect(ofSupport).toMatchObject({
      unseen_count: 1,
      preview: 'To support',
      business_number_ids: [texting.number.id],
    });
    expect((await activity(ane)).items[0].text).toBe('To sales '.repeat(30));
  });

  it('the inbox is observed once for all pages, and seen up to the observation by all of the team', async () => {
    for (const text of ['1', '2', '3']) await texting.receive({ from: ane, text });
    const first = await activity(ane, '?limit=2');
    expect(first.observed_at).toMatch(MICROSECONDS);
    await texting.receive({ from: ane, text: '4' });
    const second = await activity(ane, `?limit=2&cursor=${first.next_cursor}`);
    expect([...first.items, ...second.items].map(({ text }: any) => text)).toEqual(['3', '2', '1']);
    expect([second.observed_at, second.next_cursor]).toEqual([first.observed_at, null]);
    expect((await thread(ane)).unseen_count).toBe(4);
    for (let time = 0; time < 2; time++) expect((await markSeen(ane, { through: first.observed_at })).status).toBe(204);
    const { items } = await activity(ane);
    expect(items.map(({ text, seen_at }: any) => [text, seen_at === null])).toEqual([
      ['4', true],
      ['3', false],
      ['2', false],
      ['1', false],
    ]);
    expect((await texting.message(items[1].id)).body.seen_at).toBe(items[1].seen_at);
    expect((await thread(ane, '?unseen=true&limit=100')).unseen_count).toBe(1);
  });

  it('the inbox shows calls among texts, counts them, and marks them as seen without the texts', async () => {
    await texting.receive({ from: ane, text: 'Please call me' });
    const callId = await missCall(ane);
    const found = await thread(ane);
    expect(found).toMatchObject({ preview: 'Missed call', unseen_count: 2, latest_item: { id: callId, type: 'call' } });
    expect((await activity(ane)).items.map(({ type }: any) => type)).toEqual(['call', 'message']);
    expect((await activity(ane)).items[0]).toMatchObject({
      missed: true,
      employee: null,
      seen_at: null,
      duration: null,
    });
    expect((await texting.company.call('POST', '/calls/seen', { phone_number: ane })).status).toBe(204);
    expect((await thread(ane)).unseen_count).toBe(1);
    await setMessaging(false);
    try {
      expect(await thread(ane)).toMatchObject({
        unseen_count: 0,
        preview: 'Missed call',
        reply_business_number_id: null,
      });
      expect((await activity(ane)).items).toHaveLength(1);
    } finally {
      await setMessaging(true);
    }
    const unseen = (await get('/inbox?unseen=true&limit=100')).body.threads;
    expect((await get('/activity/unseen')).body.unseen_count).toBe(unseen.length);
  });

  it('the inbox finds threads by the contact and by any part of the number, never by texts', async () => {
    await texting.receive({ from: ane, text: 'unmistakable words' });
    const contact = { phone: ane, name: `Ane Nørgaard${ane.slice(-4)}`, note: 'Likes (blue) bicycles' };
    const { body: created } = await succeeded(texting.company.call('POST', '/contacts', contact));
    const finds = async (query: string) => (await thread(ane, `?query=${encodeURIComponent(query)}`)) !== undefined;
    await waitUntil(async () => (await thread(ane))?.contact?.id === created.id, { what: 'the contact' });
    expect((await thread(ane)).contact).toEqual(created);
    for (const query of [
      `gaard${ane.slice(-4)}`,
      'blue',
      'ane bicycle',
      ane.slice(4),
      `(${ane.slice(3, 5)}) ${ane.slice(5)}`,
    ])
      expect([query, await finds(query)]).toEqual([query, true]);
    for (const query of ['unmistakable', 'ane red', '.*']) expect([query, await finds(query)]).toEqual([query, false]);
  });

  it('the inbox shows the status of what was sent, and never counts it', async () => {
    await succeeded(texting.send({ to: ane, text: 'On our way', idempotency_key: newIdempotencyKey() }));
    expect(await thread(ane)).toMatchObject({
      unseen_count: 0,
      latest_item: { status: 'accepted', direction: 'outbound' },
    });
    const [sent] = await texting.submitted(ane);
    await texting.report(sent!.provider_id, { status: 'delivered' });
    expect((await thread(ane)).latest_item.status).toBe('delivered');
  });
});

describe('a request that is wrong', () => {
  it.each(['?limit=many', '?unseen=perhaps', '?cursor=none', `?query=${'a'.repeat(129)}`])(
    'a request like /inbox%s is 422',
    async (query) => {
      expect((await get(`/inbox${query}`)).status).toBe(422);
    },
  );

  it('a request that is wrong is 422 for a cursor of another list, phone number or company', async () => {
    for (const text of ['1', '2']) await texting.receive({ from: ane, text });
    const { next_cursor: cursor } = await activity(ane, '?limit=1');
    const other = await createTestCompany(stack, { messaging_enabled: true });
    const path = `/inbox/${encodeURIComponent(ane)}/activity?cursor=${cursor}`;
    const answers = await Promise.all([
      get(`/inbox?cursor=${cursor}`),
      get(`/inbox/${encodeURIComponent(texting.customer())}/activity?cursor=${cursor}`),
      get(`${path}&business_number_id=${texting.number.id}`),
      other.call('GET', path),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422]);
    expect((await other.call('GET', path.split('?')[0]!)).body.items).toEqual([]);
  });

  it('a request that is wrong is 422 for a time that is missing, malformed or in the future, and 404 for a foreign number', async () => {
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    for (const through of [undefined, 'yesterday', '2026-02-30T00:00:00Z', 7, soon])
      expect((await markSeen(ane, { through })).body).toMatchObject({ errors: { through: expect.anything() } });
    const foreign = await createNumber(await createTestCompany(stack), {}, stack);
    const through = (await activity(ane)).observed_at;
    const named = { through, business_number_id: foreign.body.id };
    expect((await markSeen(ane, named)).status).toBe(404);
    expect((await get(`/inbox?business_number_id=${foreign.body.id}`)).status).toBe(404);
    expect((await get('/inbox/somebody/activity')).status).toBe(422);
  });
});

describe('a rebuild of the inbox', () => {
  it('a rebuild of the inbox is the operator’s command, and leaves the inbox as it was', async () => {
    await texting.receive({ from: ane, text: 'Kept' });
    const before = (await get('/inbox?limit=100')).body;
    const path = `/companies/${texting.company.id}/inbox_rebuild`;
    expect((await operate(stack, 'POST', path)).status).toBe(202);
    const rebuild = await waitUntil(
      async () => {
        const { body } = await operate(stack, 'GET', path);
        return body.status === 'finished' && body;
      },
      { what: 'the rebuild' },
    );
    expect(rebuild).toMatchObject({ added_items: 0, removed_items: 0 });
    expect((await get('/inbox?limit=100')).body).toEqual(before);
    expect((await operate(stack, 'POST', '/companies/com_unknown/inbox_rebuild')).status).toBe(404);
  });
});

describe('notifications', () => {
  const off = { email: false, push: false };
  const settings = { missed_call: off, voicemail: off, text: { email: true, push: false }, assigned: off };

  it('notifications are switched on by an employee, who gets an e-mail about a text with a link to its thread', async () => {
    const { owner } = texting.company;
    const path = `/employees/${owner.id}/notifications`;
    expect((await get(path)).body).toEqual({ ...settings, text: off, assistant: off });
    for (const body of [{ text: off }, { ...settings, text: { email: 'maybe', push: true } }])
      expect((await texting.company.call('PUT', path, body)).status).toBe(422);
    expect((await succeeded(texting.company.call('PUT', path, { ...settings, fax: off }))).body).toEqual({
      ...settings,
      assistant: off,
    });
    await texting.receive({ from: ane, text: 'Hello' });
    const mail = await waitUntil(
      async () => {
        const { body } = await sandbox(stack, 'GET', `/emails?to=${encodeURIComponent(owner.email)}`);
        return (body as { subject: string; text: string }[]).find(({ subject }) => subject === `Text from ${ane}`);
      },
      { what: 'the e-mail', timeoutMs: 60_000 },
    );
    expect(mail.text).toContain(`/dashboard/inbox/${encodeURIComponent(ane)}`);
    expect((await succeeded(texting.company.call('PUT', path, { ...settings, text: off }))).body.text).toEqual(off);
  });
});
