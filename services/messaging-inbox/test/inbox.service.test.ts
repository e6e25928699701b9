import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@parley/secrets';
import { CallDirection, CallState } from '@parley/proto/call_control/v1/calls_pb';
import {
  InboxAdminService,
  InboxItemType,
  InboxService,
  type ListThreadsRequestSchema,
} from '@parley/proto/messaging_inbox/v1/inbox_pb';
import { ProviderCallbackService } from '@parley/proto/messaging_inbox/v1/provider_callbacks_pb';
import type { RpcClient } from '@parley/rpc';
import { insertEntities, storedEntities, waitUntil } from '@parley/testkit';
import { asEmployee, asOperator as operator, type FakeNumber } from '@parley/testkit/service';
import { startMessagingInbox, type TestMessagingInbox } from './start-messaging-inbox.ts';
import { receivedEvent } from './test-provider.ts';

let parley: TestMessagingInbox;
let inbox: RpcClient<typeof InboxService>;
let admin: RpcClient<typeof InboxAdminService>;
let callbacks: RpcClient<typeof ProviderCallbackService>;
beforeAll(async () => {
  parley = await startMessagingInbox();
  inbox = parley.replicas[0].client(InboxService);
  admin = parley.replicas[1].client(InboxAdminService);
  callbacks = parley.replicas[1].client(ProviderCallbackService);
}, 60_000);
afterAll(() => parley?.stop());

let companyId: string;
let me: ReturnType<typeof asEmployee>;
let number: FakeNumber;
beforeEach(() => {
  ({ companyId } = parley.directory.createCompany({ messagingEnabled: true }));
  me = asEmployee(companyId);
  number = parley.numbers.addNumber(companyId);
});

const ANE = '+4520304050';
const BO = '+4520304051';
const invalidField = (field: string) =>
  expect.objectContaining({
    refusal: expect.objectContaining({ code: 'validation_failed', fields: { [field]: expect.anything() } }),
  });
const receive = (from: string, text: string, to = number.number) =>
  callbacks.receiveCallback(parley.provider.callback(receivedEvent({ from, to, text })));
const threads = async (filter: MessageInitShape<typeof ListThreadsRequestSchema> = {}, as = me) =>
  (await inbox.listThreads({ limit: 50, ...filter }, as)).threads;
const activity = (phoneNumber: string, change: object = {}, as = me) =>
  inbox.listActivity({ phoneNumber, limit: 50, ...change }, as);
const textsOf = async (phoneNumber: string, change: object = {}) =>
  (await activity(phoneNumber, change)).items.map(({ content }) =>
    content.case === 'message' ? content.value.text : content.case,
  );

/** A call of the company as its owner lists it, with the moment it started. */
function addCall(change: object = {}, minute = 0) {
  const call = {
    id: newId('cal'),
    companyId,
    from: ANE,
    to: number.number,
    direction: CallDirection.INBOUND,
    state: CallState.ENDED,
    startedAt: timestampFromDate(new Date(Date.UTC(2026, 2, 1, 12, minute))),
    missed: true,
    mainNumberId: number.id,
    employees: [],
    ...change,
  };
  parley.owners.calls.push(call);
  return call;
}
function addVoicemail(callId: string, minute = 0) {
  const voicemail = {
    id: newId('vml'),
    companyId,
    callId,
    from: ANE,
    createdAt: timestampFromDate(new Date(Date.UTC(2026, 2, 1, 12, minute))),
    mainNumberId: number.id,
    transcription: 'Please call back',
  };
  parley.owners.voicemails.push(voicemail);
  return voicemail;
}
const rebuilt = async () => {
  await admin.startInboxRebuild({ companyId }, operator);
  return waitUntil(
    async () => {
      const { rebuild } = await admin.getInboxRebuild({ companyId }, operator);
      return rebuild?.finishedAt ? rebuild.counts : undefined;
    },
    { what: 'the rebuild' },
  );
};
/** Everything of the company in the inbox; what a rebuild may change is left out. */
async function stored() {
  const read = (name: string) => storedEntities(parley.db, name, { companyId });
  const [items, threadDocuments, contacts] = await Promise.all(['inbox_items', 'inbox_threads', 'contacts'].map(read));
  return {
    items: items!.map(({ appliedAt: _, ...item }) => item),
    threads: threadDocuments!.map(({ revision: _, ...thread }) => thread),
    contacts: contacts!,
  };
}

describe('a list of threads', () => {
  it('a list of threads shows only what belongs to the given number', async () => {
    const sales = parley.numbers.addNumber(companyId);
    await receive(ANE, 'To support');
    await receive(ANE, 'To sales', sales.number);
    expect(await threads()).toMatchObject([{ unseenCount: 2, preview: 'To sales' }]);
    expect(await threads({ businessNumberId: number.id })).toMatchObject([
      { unseenCount: 1, preview: 'To support', businessNumberIds: [number.id] },
    ]);
  });

  it('a list of threads reads the business numbers of its page only, and no texting settings', async () => {
    for (let count = 0; count < 20; count += 1) parley.numbers.addNumber(companyId);
    await receive(ANE, 'Hello');
    const listed: number[] = [];
    let settings = 0;
    Object.assign(parley.numbers, {
      onListNumbers: (count: number) => void listed.push(count),
      onGetTexting: async () => void (settings += 1),
    });
    const [thread] = await threads();
    await activity(ANE);
    Object.assign(parley.numbers, { onListNumbers: undefined, onGetTexting: undefined });
    expect([thread?.preview, listed, settings]).toEqual(['Hello', [1, 1], 0]);
  });

  it('a list of threads is paged by cursors that are good for the same list only', async () => {
    for (const from of [ANE, BO, '+4520304052']) await receive(from, 'Hi');
    const first = await inbox.listThreads({ limit: 2 }, me);
    expect(first.threads.map(({ phoneNumber }) => phoneNumber)).toEqual(['+4520304052', BO]);
    const { nextCursor: cursor = '' } = first;
    expect(await threads({ cursor })).toMatchObject([{ phoneNumber: ANE }]);
    const other = parley.directory.createCompany();
    const foreign = inbox.listThreads({ limit: 2, cursor }, asEmployee(other.companyId));
    await expect(foreign).rejects.toEqual(invalidField('cursor'));
    for (const filter of [{ unseen: true }, { query: 'a' }, { businessNumberId: number.id }, { cursor: `${cursor}x` }])
      await expect(threads({ cursor, ...filter })).rejects.toEqual(invalidField('cursor'));
    await expect(activity(ANE, { cursor })).rejects.toEqual(invalidField('cursor'));
  });

  it('a list of threads has no texts while texting is off, and all of them afterwards', async () => {
    await receive(ANE, 'Before');
    parley.directory.company(companyId).messagingEnabled = false;
    await receive(ANE, 'Meanwhile');
    expect([await threads(), await textsOf(ANE)]).toEqual([[], []]);
    expect((await inbox.countUnseen({}, me)).unseenCount).toBe(0);
    await inbox.markThreadSeen({ phoneNumber: ANE, throughMicros: (await activity(ANE)).observedAtMicros }, me);
    parley.directory.company(companyId).messagingEnabled = true;
    expect(await threads()).toMatchObject([{ unseenCount: 2, preview: 'Meanwhile' }]);
  });
});

describe('activity', () => {
  it('activity stays as it was observed while texts arrive, and is seen up to there', async () => {
    for (const text of ['1', '2', '3']) await receive(ANE, text);
    const first = await activity(ANE, { limit: 2 });
    await receive(ANE, '4');
    const second = await activity(ANE, { limit: 2, cursor: first.nextCursor });
    expect(second.items.map(({ content }) => content.case === 'message' && content.value.text)).toEqual(['1']);
    expect(second.observedAtMicros).toBe(first.observedAtMicros);
    await inbox.markThreadSeen({ phoneNumber: ANE, throughMicros: first.observedAtMicros }, me);
    const unseen = (await activity(ANE)).items.filter(({ seenAtMicros }) => seenAtMicros === undefined);
    expect(unseen).toMatchObject([{ content: { value: { text: '4' } } }]);
    expect(await threads({ unseen: true })).toMatchObject([{ unseenCount: 1 }]);
  });

  it('activity shows a new call as it was at the end of its first write', async () => {
    const call = { ...addCall({ from: BO }, 1), state: CallState.INITIATED };
    const current = { ...call, state: CallState.PLAYING_AUDIO };
    const about = { companyId, aggregateId: call.id, aggregateSequence: 1 };
    await parley.publish('call-control.call.initiated', { call, current }, about);
    await waitUntil(async () => (await threads()).length === 1, { what: 'the thread of the call' });
    expect((await activity(BO)).items).toMatchObject([{ content: { value: { state: CallState.PLAYING_AUDIO } } }]);
  });

  it('activity of a sender that has a name instead of a number is found by the name', async () => {
    await receive('Bank: 24h', 'Your code');
    expect(await threads()).toMatchObject([{ phoneNumber: 'Bank: 24h', unseenCount: 1, preview: 'Your code' }]);
    expect(await textsOf('Bank: 24h')).toEqual(['Your code']);
    const { observedAtMicros } = await activity('Bank: 24h');
    await inbox.markThreadSeen({ phoneNumber: 'Bank: 24h', throughMicros: observedAtMicros }, me);
    expect(await threads()).toMatchObject([{ unseenCount: 0 }]);
    await expect(activity('Bank')).rejects.toEqual(invalidField('phone_number'));
  });
});

describe('what was said', () => {
  const about = (aggregateId: string) => ({ companyId, aggregateId, aggregateSequence: 7 });

  it('what was said is read from its owner when an event says that there is something, and is stored encrypted', async () => {
    const call = addCall({ from: BO, hasTranscription: true, summary: 'Ordered seven bicycles' }, 1);
    const { summary: _, ...event } = call as typeof call & { summary: string };
    await parley.publish('call-control.call.transcription_done', { call: event }, about(call.id));
    const voicemail = addVoicemail(addCall({}, 2).id, 3);
    const { transcription, ...left } = { ...voicemail, hasTranscription: true };
    await parley.publish('call-control.voicemail.transcription_done', { voicemail: left }, about(voicemail.id));
    const listed = await waitUntil(
      async () => {
        const found = await threads();
        return found.length === 2 ? found.map(({ preview }) => preview) : undefined;
      },
      { what: 'both' },
    );
    expect(listed.toSorted()).toEqual(['Ordered seven bicycles', transcription]);
    const shown = [...(await activity(ANE)).items, ...(await activity(BO)).items].map(({ content }) => content.value);
    expect(shown).toMatchObject([{ transcription }, { summary: 'Ordered seven bicycles', hasTranscription: true }]);
    const raw = JSON.stringify(await stored());
    expect(['Ordered', 'bicycles', 'Please', 'call back'].filter((words) => raw.includes(words))).toEqual([]);
    // Equal texts are recognised in their encrypted form.
    const before = await stored();
    await rebuilt();
    expect((await stored()).items.filter(({ id }) => before.items.some((item) => item.id === id))).toEqual(
      before.items,
    );
  });
});

describe('a rebuild of the inbox', () => {
  it('a rebuild of the inbox brings what its owners had before the inbox existed', async () => {
    const call = addCall({}, 1);
    const voicemail = addVoicemail(call.id, 2);
    const answeredAt = timestampFromDate(new Date(Date.UTC(2026, 2, 1, 12, 3)));
    addCall({ from: BO, missed: false, answeredAt, summary: 'Ordered bicycles' }, 3);
    parley.owners.contacts.set(companyId, [
      { id: 'con_1', phone: ANE, phoneFormatted: ANE, name: 'Ane Holm', note: 'Likes (red) bicycles', revision: 3n },
    ]);
    await receive(ANE, 'A text');
    expect(await rebuilt()).toMatchObject({ items: 4, addedItems: 3, removedItems: 0, contacts: 1 });
    const [ane, bo] = await threads();
    expect(ane).toMatchObject({ phoneNumber: ANE, contact: { name: 'Ane Holm' }, unseenCount: 2, preview: 'A text' });
    expect(bo).toMatchObject({ phoneNumber: BO, unseenCount: 0, preview: 'Ordered bicycles' });
    expect(await textsOf(ANE)).toEqual(['A text', 'voicemail']);
    expect((await activity(ANE)).items[1]).toMatchObject({ id: voicemail.id, content: { value: { callId: call.id } } });
    for (const query of ['holm', 'olm', 'red', 'cycle', 'ane bicy', '30 40 50'])
      expect(await threads({ query })).toMatchObject([{ phoneNumber: ANE }]);
    expect(await threads({ query: 'ordered' })).toEqual([]);
    // Calls and voicemails only: the text stays unseen.
    await inbox.markCallsSeen({}, me);
    expect(await threads()).toMatchObject([{ unseenCount: 1 }, { unseenCount: 0 }]);
  });

  it('a rebuild of the inbox leaves an inbox that is right as it was', async () => {
    const call = addCall({}, 1);
    addVoicemail(call.id, 2);
    addCall({ from: BO }, 3);
    for (const text of ['1', '2', '3']) await receive(ANE, text);
    await rebuilt();
    await inbox.markThreadSeen({ phoneNumber: ANE, throughMicros: (await activity(ANE)).observedAtMicros }, me);
    await receive(ANE, '4');
    const before = await stored();
    expect(await rebuilt()).toMatchObject({ items: 7, addedItems: 0, removedItems: 0, threads: 4 });
    expect(await stored()).toEqual(before);
  });

  it('a rebuild of the inbox repairs missing, wrong and orphaned items', async () => {
    addCall({}, 1);
    addCall({ from: BO }, 2);
    parley.owners.contacts.set(companyId, [{ id: `con_${companyId}`, phone: ANE, phoneFormatted: ANE, name: 'Ane' }]);
    await receive(ANE, 'Kept');
    await rebuilt();
    const before = await stored();
    const [items, threadDocuments, contacts] = ['inbox_items', 'inbox_threads', 'contacts'].map((name) =>
      parley.db.collection(name),
    );
    const [orphan] = await storedEntities(parley.db, 'inbox_items', { companyId, phone: ANE });
    const old = new Date(Date.now() - 3_600_000);
    await items!.updateMany({ companyId }, { $set: { appliedAt: old, direction: 'outbound', unseenViews: [] } });
    const orphaned = { id: `cal_none_${companyId}`, appliedAt: old, createdAt: orphan!['createdAt'] + 1e12 };
    await insertEntities(parley.db, 'inbox_items', [{ ...orphan, ...orphaned }]);
    await threadDocuments!.updateMany({ companyId }, { $set: { withMessages: null, businessNumberIds: [] } });
    await contacts!.updateMany({ companyId }, { $set: { name: 'Wrong', searchTerms: [] } });
    await insertEntities(parley.db, 'contacts', [{ ...before.contacts[0], id: `con_none_${companyId}` }]);
    expect(await rebuilt()).toMatchObject({ removedItems: 1, removedContacts: 1 });
    expect(await stored()).toEqual(before);
  });

  it('a rebuild of the inbox is for operators only, and for companies that exist', async () => {
    await expect(admin.startInboxRebuild({ companyId }, me)).rejects.toThrow();
    const unknown = { companyId: newId('com') };
    const notFound = { refusal: { code: 'not_found' } };
    await expect(admin.startInboxRebuild(unknown, operator)).rejects.toMatchObject(notFound);
    await expect(admin.getInboxRebuild(unknown, operator)).rejects.toMatchObject(notFound);
  });

  it('a rebuild of the inbox finds calls by their latest item', async () => {
    addCall({ direction: CallDirection.OUTBOUND, from: number.number, to: BO, missed: false }, 1);
    await rebuilt();
    const latestItem = { type: InboxItemType.CALL, direction: CallDirection.OUTBOUND, missed: false };
    expect(await threads()).toMatchObject([{ preview: 'Outgoing call', unseenCount: 0, latestItem }]);
  });
});
