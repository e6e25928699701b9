import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CallSchema, CallState } from '@parley/proto/call_control/v1/calls_pb';
import { CallContentService } from '@parley/proto/call_control/v1/calls_service_pb';
import { filesIn } from '@parley/personal-data';
import { newId } from '@parley/secrets';
import { fakeContract } from '@parley/stubs';
import { waitUntil } from '@parley/testkit';
import { eventReader } from './support/event-log-reader.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { type RunningWebhooks, runWebhooks } from './support/running-webhooks.ts';

const PERSON = '+4512345678';

let webhooks: RunningWebhooks;
let receiver: Receiver;
/** What call-control has about a call, each time it is asked. */
let note = '';

beforeAll(async () => {
  receiver = await startReceiver();
  const contents = fakeContract(CallContentService, {
    async getCallContent({ companyId, callId }) {
      return { call: create(CallSchema, { id: callId, companyId, note }) };
    },
  });
  webhooks = await runWebhooks(
    [receiver.origin],
    {},
    { peers: { 'call-control': [contents] }, follows: ['directory', 'call-control'] },
  );
});
afterAll(async () => {
  await webhooks?.stop();
  await receiver?.close();
});

/** A company whose events are recorded; changes of its webhooks are events too, which are not read here. */
async function recordedCompany() {
  const reader = eventReader(webhooks, newId('com'), { types: ['contact.*', 'call.*'] });
  await reader.readOn();
  return reader;
}

async function noteChanged(companyId: string, startedAt = new Date()) {
  const id = newId('cal');
  const call = { id, companyId, from: '+4520304050', to: '+4570000000', state: CallState.ANSWERED };
  return webhooks.publish(
    'call-control.call.note_changed',
    { call: { ...call, startedAt: timestampFromDate(startedAt) } },
    { companyId, aggregateId: id },
  );
}

async function erase(companyId: string, before: Date): Promise<number> {
  let removed = 0;
  for (let position = ''; ;) {
    const request = { companyId, phoneNumber: PERSON, erasureId: 'era_1', before: timestampFromDate(before), position };
    const portion = await webhooks.personalData.erasePerson(request);
    removed += portion.removed;
    if (portion.done) return removed;
    ({ position } = portion);
  }
}

describe('an event with texts', () => {
  it('an event with texts is read once: log, delivery and repetition have what was there first', async () => {
    const reader = await recordedCompany();
    const { companyId } = reader;
    const subscribe = (path: string) =>
      webhooks.subscriptions.createSubscription(
        { name: 'CRM', url: receiver.origin + path, events: ['call.note_changed'] },
        webhooks.as(companyId),
      );
    await subscribe('/first');
    note = 'The first note';
    const happened = await noteChanged(companyId);
    const [event] = await reader.readUntil(1);
    expect(event!.json.data).toMatchObject({ note: 'The first note' });
    await waitUntil(() => receiver.at('/first').length === 1, { what: 'the delivery' });
    note = 'Another note';
    // As after a crash before the delivery was stored.
    await webhooks.db.collection('deliveries').deleteMany({ companyId });
    await webhooks.again(happened, 2);
    const bodies = await waitUntil(
      () => (receiver.at('/first').length === 2 ? receiver.at('/first').map(({ rawBody }) => rawBody) : undefined),
      { what: 'both deliveries' },
    );
    expect(bodies).toEqual([event!.body, event!.body]);
    expect((await reader.readOn()).map((read) => read.id)).toEqual([event!.id]);
  });
});

describe('an erasure of a person', () => {
  it('an erasure of a person empties their events, leaves the places, and a repetition adds nothing', async () => {
    const reader = await recordedCompany();
    const { companyId } = reader;
    await webhooks.subscriptions.createSubscription(
      { name: 'CRM', url: `${receiver.origin}/erased`, events: ['contact.created'] },
      webhooks.as(companyId),
    );
    const beginning = reader.cursor()!;
    const made = [await webhooks.contact('created', { companyId }), await webhooks.contact('created', { companyId })];
    await reader.readUntil(2);
    await waitUntil(() => receiver.at('/erased').length === 2, { what: 'deliveries' });
    const [first] = reader.read;
    expect(await erase(companyId, new Date())).toBe(4);
    const stored = await webhooks.db
      .collection('logged_events')
      .find({ companyId, event: 'contact.created' })
      .toArray();
    expect(stored.map(({ sealedBody, subject }) => [sealedBody, subject])).toEqual([
      [null, null],
      [null, null],
    ]);
    for (const { event } of made) await webhooks.again(event, 2);
    const later = await webhooks.contact('created', { companyId });
    await reader.readUntil(3);
    const again = eventReader(webhooks, companyId, { after: beginning, types: ['contact.*'] });
    expect((await again.readOn()).map(({ json }) => json.data.contact.id)).toEqual([later.id]);
    expect(
      (await eventReader(webhooks, companyId, { after: first!.cursor, types: ['contact.*'] }).readOn()).length,
    ).toBe(1);
    await expect(webhooks.eventLog.getEvent({ id: first!.id }, webhooks.as(companyId))).rejects.toMatchObject({
      refusal: { code: 'not_found' },
    });
    await waitUntil(() => receiver.at('/erased').length === 3, { what: 'the later one' });
    expect(receiver.at('/erased').map(({ body }) => body.data['contact'].id)).toEqual([
      ...made.map(({ id }) => id),
      later.id,
    ]);
  });

  it('an erasure of a person also keeps out an event that arrives for the first time', async () => {
    const reader = await recordedCompany();
    const { companyId } = reader;
    const occurredAt = new Date();
    await erase(companyId, new Date());
    await webhooks.contact('created', { companyId, occurredAt });
    const later = await webhooks.contact('created', { companyId });
    expect((await reader.readUntil(1)).map(({ json }) => json.data.contact.id)).toEqual([later.id]);
  });
});

describe('an export of a person', () => {
  it('an export of a person has their events', async () => {
    const reader = await recordedCompany();
    const { companyId } = reader;
    await webhooks.contact('created', { companyId });
    await noteChanged(companyId);
    await reader.readUntil(2);
    const request = { companyId, phoneNumber: PERSON, before: timestampFromDate(new Date()) };
    const files = new Map<string, string>();
    for await (const { name, content } of filesIn(webhooks.personalData.exportPerson(request)))
      files.set(name, Buffer.concat(await Array.fromAsync(content)).toString());
    expect(JSON.parse(files.get('events.json')!)).toEqual([
      {
        id: expect.stringMatching(/^evt_/),
        event: 'contact.created',
        timestamp: expect.any(String),
        data: expect.anything(),
      },
    ]);
  });
});

describe('retention', () => {
  it('retention empties events about what the company does not keep any longer', async () => {
    const reader = await recordedCompany();
    const { companyId } = reader;
    const day = 24 * 3_600_000;
    await noteChanged(companyId, new Date(Date.now() - 20 * day));
    await noteChanged(companyId);
    await webhooks.contact('created', { companyId });
    await reader.readUntil(3);
    const settings = { callsDays: 10 };
    await webhooks.publish('directory.retention.changed', { settings }, { companyId, aggregateId: companyId });
    const kept = () => eventReader(webhooks, companyId).readOn();
    await waitUntil(async () => (await kept()).length === 2, { what: 'the old call to be removed' });
    expect((await kept()).map(({ event }) => event).sort()).toEqual(['call.note_changed', 'contact.created']);
  });
});

describe('the deletion of a company', () => {
  it('the deletion of a company removes its log', async () => {
    const reader = await recordedCompany();
    const { companyId } = reader;
    await webhooks.contact('created', { companyId });
    await reader.readUntil(1);
    for (let position = ''; ;) {
      const portion = await webhooks.personalData.eraseCompany({ companyId, position });
      if (portion.done) break;
      ({ position } = portion);
    }
    for (const name of ['company_event_logs', 'event_log_segments', 'logged_events'])
      expect([name, await webhooks.db.collection(name).countDocuments({ companyId })]).toEqual([name, 0]);
  });
});

describe('a new encryption key', () => {
  it('a new encryption key is used for events that are stored already', async () => {
    const reader = await recordedCompany();
    await webhooks.contact('created', { companyId: reader.companyId });
    const [event] = await reader.readUntil(1);
    const { ENCRYPTION_KEY: former } = webhooks.env;
    const key = randomBytes(32).toString('base64');
    const stored = async () =>
      (await webhooks.db.collection('logged_events').findOne({ companyId: reader.companyId }))!['sealedBody'];
    const before = await stored();
    await webhooks.restart({ ENCRYPTION_KEY: `${key},${former}` });
    await waitUntil(async () => (await stored()) !== before, { what: 'the body to be written anew' });
    await webhooks.restart({ ENCRYPTION_KEY: key });
    const read = await webhooks.eventLog.getEvent({ id: event!.id }, webhooks.as(reader.companyId));
    expect(read.event!.body).toBe(event!.body);
    await webhooks.restart();
  });
});
