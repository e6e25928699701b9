import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId } from '@parley/secrets';
import { CallDirection, CallState } from '@parley/proto/call_control/v1/calls_pb';
import { CommentService } from '@parley/proto/messaging_inbox/v1/comments_pb';
import { InboxService } from '@parley/proto/messaging_inbox/v1/inbox_pb';
import { ProviderCallbackService } from '@parley/proto/messaging_inbox/v1/provider_callbacks_pb';
import { PersonalDataService } from '@parley/proto/privacy/v1/personal_data_pb';
import { documentQueryPlan, waitUntil } from '@parley/testkit';
import { asEmployee } from '@parley/testkit/service';
import { startMessagingInbox, type TestMessagingInbox } from './start-messaging-inbox.ts';
import { receivedEvent } from './test-provider.ts';

let parley: TestMessagingInbox;
beforeAll(async () => {
  parley = await startMessagingInbox({ TEST_CLOCK: 'on' });
}, 60_000);
afterAll(() => parley?.stop());

const PERSON = '+4520304050';
const SOMEBODY_ELSE = '+4520304051';

async function erase(companyId: string, before: Date): Promise<number> {
  const personalData = parley.as('directory').client(PersonalDataService);
  let removed = 0;
  for (let position = ''; ;) {
    const request = { companyId, phoneNumber: PERSON, erasureId: 'era_1', before: timestampFromDate(before), position };
    const portion = await personalData.erasePerson(request);
    removed += portion.removed;
    if (portion.done) return removed;
    ({ position } = portion);
  }
}

it('the erasure of a person removes everything of them, and an event of before does not bring them back', async () => {
  const { companyId } = parley.directory.createCompany({ messagingEnabled: true });
  const me = asEmployee(companyId);
  const number = parley.numbers.addNumber(companyId);
  const inbox = parley.replicas[0].client(InboxService);
  const phones = async () =>
    (await inbox.listThreads({ limit: 50 }, me)).threads.map(({ phoneNumber }) => phoneNumber).sort();
  const startedAt = new Date(Date.now() - 60_000);
  const call = {
    id: newId('cal'),
    companyId,
    from: PERSON,
    to: number.number,
    direction: CallDirection.INBOUND,
    state: CallState.ENDED,
    startedAt: timestampFromDate(startedAt),
    missed: true,
    mainNumberId: number.id,
  };
  const about = { companyId, aggregateId: call.id };
  await parley.publish('call-control.call.ended', { call }, about);
  for (const from of [PERSON, SOMEBODY_ELSE])
    await parley.replicas[1]
      .client(ProviderCallbackService)
      .receiveCallback(parley.provider.callback(receivedEvent({ from, to: number.number, text: 'STOP' })));
  await waitUntil(async () => (await inbox.listActivity({ phoneNumber: PERSON, limit: 50 }, me)).items.length === 3, {
    what: 'the call, the text and its confirmation',
  });
  const before = new Date();
  expect(await erase(companyId, before)).toBeGreaterThanOrEqual(5);
  expect(await phones()).toEqual([SOMEBODY_ELSE]);
  expect(await erase(companyId, before)).toBe(0);

  // An earlier event is published again under another id; then one of a new call.
  await parley.publish('call-control.call.updated', { call }, about);
  const later = { ...call, id: newId('cal'), startedAt: timestampFromDate(new Date(before.getTime() + 1)) };
  await parley.publish('call-control.call.ended', { call: later }, { companyId, aggregateId: later.id });
  await waitUntil(async () => (await phones()).includes(PERSON), { what: 'the new call' });
  const applied = { _id: { $regex: call.id }, sequence: { $gte: 2 } } as object;
  await waitUntil(() => parley.db.collection('follower_positions').findOne(applied), { what: 'the old event' });
  const { items } = await inbox.listActivity({ phoneNumber: PERSON, limit: 50 }, me);
  expect(items.map(({ id }) => id)).toEqual([later.id]);
  for (const name of ['messages', 'opt_outs', 'auto_reply_cooldowns', 'stop_limits', 'event_log']) {
    const stored = await parley.db.collection(name).find({}, { raw: true }).toArray();
    expect(Buffer.concat(stored as unknown as Buffer[]).includes(PERSON)).toBe(false);
  }
}, 60_000);

it('the erasure of a person finds their texts by an index', async () => {
  const filter = { companyId: 'com_1', externalNumber: PERSON, createdAtMicros: { $lte: 1 } };
  const plan = await documentQueryPlan(parley.db, 'messages', filter, { sort: { createdAtMicros: 1 } });
  expect(plan).toMatchObject({ index: 'person', isUnindexed: false });
});

it('retention removes texts, and calls that their owner removed, when they are older than the company keeps them', async () => {
  const { companyId } = parley.directory.createCompany({ messagingEnabled: true });
  const me = asEmployee(companyId);
  const number = parley.numbers.addNumber(companyId);
  const inbox = parley.replicas[0].client(InboxService);
  const phones = async () => (await inbox.listThreads({ limit: 50 }, me)).threads.map(({ phoneNumber }) => phoneNumber);
  const call = {
    id: newId('cal'),
    companyId,
    from: SOMEBODY_ELSE,
    to: number.number,
    direction: CallDirection.INBOUND,
    state: CallState.ENDED,
    startedAt: timestampFromDate(new Date()),
    mainNumberId: number.id,
  };
  const about = { companyId, aggregateId: call.id };
  await parley.publish('call-control.call.ended', { call }, about);
  await parley.replicas[1]
    .client(ProviderCallbackService)
    .receiveCallback(parley.provider.callback(receivedEvent({ from: PERSON, to: number.number, text: 'Hello' })));
  await waitUntil(async () => (await phones()).length === 2, { what: 'the call and the text' });
  for (const phoneNumber of [PERSON, SOMEBODY_ELSE])
    await parley.replicas[0].client(CommentService).createComment({ phoneNumber, text: 'Hello' }, me);
  const stored = (name: string) => parley.db.collection(name).countDocuments({ companyId });
  await waitUntil(async () => (await stored('message_search')) === 1, { what: 'the search entry' });
  const settings = { messagesDays: 2 };
  await parley.publish('directory.retention.changed', { settings }, { companyId, aggregateId: companyId });
  const run = { _id: companyId, doneAt: { $ne: null } } as object;
  await waitUntil(() => parley.db.collection('retention_runs').findOne(run), { what: 'the first removal' });
  expect(await phones()).toHaveLength(2);
  await parley.moveClock(3 * 24 * 3600);
  await waitUntil(async () => (await phones()).join() === SOMEBODY_ELSE, { what: 'the text to be removed' });
  await waitUntil(async () => (await stored('comments')) === 0, { what: 'the comments to be removed' });
  await parley.publish('call-control.call.deleted', { callId: call.id }, about);
  await waitUntil(async () => (await phones()).length === 0, { what: 'the call to be removed' });
  await parley.idle();
  for (const name of ['messages', 'message_search', 'inbox_items', 'inbox_threads', 'event_log'])
    expect(await stored(name)).toBe(0);
  await parley.moveClock(0);
}, 120_000);

it('retention finds texts that are too old, and empty threads, by an index', async () => {
  const old = { companyId: 'com_1', createdAtMicros: { $lte: 5, $gte: 1 }, $or: [{ createdAtMicros: { $gt: 1 } }, { _id: { $gt: 'm' } }] }; // prettier-ignore
  const texts = await documentQueryPlan(parley.db, 'messages', old, { sort: { createdAtMicros: 1, _id: 1 } });
  expect(texts).toMatchObject({ index: 'company_oldest', isUnindexed: false });
  const comments = { companyId: 'com_1', createdAt: { $lte: 5 } };
  const oldest = await documentQueryPlan(parley.db, 'comments', comments, { sort: { createdAt: 1 } });
  expect(oldest).toMatchObject({ index: 'company_oldest', isUnindexed: false });
  const empty = { companyId: 'com_1', scope: 'all', 'withMessages.lastActivityAt': null };
  const threads = await documentQueryPlan(parley.db, 'inbox_threads', empty, { sort: { phone: -1 } });
  expect(threads).toMatchObject({ index: 'newest', isUnindexed: false });
});
