import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeMessage, type Event } from '@parley/events';
import { CommentService } from '@parley/proto/messaging_inbox/v1/comments_pb';
import { InboxService, ThreadState } from '@parley/proto/messaging_inbox/v1/inbox_pb';
import { ProviderCallbackService } from '@parley/proto/messaging_inbox/v1/provider_callbacks_pb';
import { PersonalDataService } from '@parley/proto/privacy/v1/personal_data_pb';
import type { RpcClient } from '@parley/rpc';
import { documentQueryPlan, waitUntil } from '@parley/testkit';
import { asEmployee, type FakeEmployee, type FakeNumber } from '@parley/testkit/service';
import { startMessagingInbox, type TestMessagingInbox } from './start-messaging-inbox.ts';
import { receivedEvent } from './test-provider.ts';

const ANE = '+4520304050';
const BO = '+4520304051';
const notFound = expect.objectContaining({ refusal: expect.objectContaining({ code: 'not_found' }) });

let parley: TestMessagingInbox;
let comments: RpcClient<typeof CommentService>;
let inbox: RpcClient<typeof InboxService>;
let events: readonly Event[];
beforeAll(async () => {
  parley = await startMessagingInbox();
  comments = parley.replicas[0].client(CommentService);
  inbox = parley.replicas[1].client(InboxService);
  events = await parley.record('messaging-inbox.comment.*');
}, 60_000);
afterAll(() => parley?.stop());

let companyId: string;
let eva: FakeEmployee;
let me: ReturnType<typeof asEmployee>;
let number: FakeNumber;
beforeEach(async () => {
  ({ companyId } = parley.directory.createCompany({ messagingEnabled: true }));
  eva = parley.directory.addEmployee({ companyId, name: 'Eva Holm' });
  me = asEmployee(companyId, eva.id);
  number = parley.numbers.addNumber(companyId);
  await receive(ANE);
});

const receive = (from: string) =>
  parley.replicas[1]
    .client(ProviderCallbackService)
    .receiveCallback(parley.provider.callback(receivedEvent({ from, to: number.number, text: 'Hello' })));
const comment = async (text: string, phoneNumber = ANE) =>
  (await comments.createComment({ phoneNumber, text }, me)).comment!;
const activity = async (page: { limit: number; cursor?: string; businessNumberId?: string } = { limit: 50 }) =>
  inbox.listActivity({ phoneNumber: ANE, ...page }, me);

describe('a comment', () => {
  it('a comment is in the activity of its thread, for every business number, with its author and those it mentions', async () => {
    const bo = parley.directory.addEmployee({ companyId, name: 'Bo Lund' });
    const written = await comment('@bo, call back at noon?');
    expect(written).toMatchObject({ author: { id: eva.id, name: 'Eva Holm' }, mentions: [{ id: bo.id }] });
    for (const filter of [{}, { businessNumberId: number.id }]) {
      const { items } = await activity({ limit: 50, ...filter });
      expect(items.map(({ content }) => content.case)).toEqual(['comment', 'message']);
      expect(items[0]).toMatchObject({
        id: written.id,
        createdAtMicros: written.createdAtMicros,
        content: { value: { text: '@bo, call back at noon?', mentions: [{ id: bo.id, name: 'Bo Lund' }] } },
      });
    }
    const own = () => events.filter((event) => event.companyId === companyId);
    await waitUntil(() => own().length === 1, { what: 'the event' });
    const payload = decodeMessage('messaging-inbox.comment.created', own()[0]!.data);
    expect(payload.comment).toMatchObject({
      phoneNumber: ANE,
      author: { id: eva.id },
      mentions: [{ id: bo.id }],
      text: '',
    });
  });

  it('a comment is shown with the present names, and with those of before once somebody has left', async () => {
    const bo = parley.directory.addEmployee({ companyId, name: 'Bo Lund' });
    await comment('@Bo');
    eva.name = 'Eva Berg';
    parley.directory.deleteEmployee(bo.id);
    const [item] = (await activity()).items;
    expect(item).toMatchObject({
      content: { value: { author: { name: 'Eva Berg' }, mentions: [{ name: 'Bo Lund' }] } },
    });
  });

  it('a comment neither opens a thread that is done, nor counts as unseen or as the latest item', async () => {
    await inbox.markThreadSeen({ phoneNumber: ANE, throughMicros: (await activity()).observedAtMicros }, me);
    await inbox.updateThread({ phoneNumber: ANE, state: ThreadState.DONE }, me);
    const [before] = (await inbox.listThreads({ limit: 50 }, me)).threads;
    await comment('Nothing to do.');
    expect((await inbox.listThreads({ limit: 50 }, me)).threads).toEqual([before]);
    expect(before).toMatchObject({ state: ThreadState.DONE, unseenCount: 0, preview: 'Hello' });
  });

  it('a comment is listed in its order through pages', async () => {
    await comment('one');
    await receive(ANE);
    await comment('two');
    await comment('three');
    const all = (await activity()).items.map(({ id }) => id);
    expect(all).toHaveLength(5);
    const pages: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await activity({ limit: 2, ...(cursor && { cursor }) });
      pages.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor);
    expect(pages).toEqual(all);
  });

  it.each([
    ['', 'must not be blank'],
    [' \n', 'must not be blank'],
    ['x'.repeat(5001), 'is too long (maximum is 5000 characters)'],
  ])('a comment with the text %# is refused', async (text, problem) => {
    const refusal = expect.objectContaining({ code: 'validation_failed', fields: { text: [problem] } });
    await expect(comment(text)).rejects.toMatchObject({ refusal });
    await expect(comment('👋'.repeat(5000))).resolves.toMatchObject({ text: '👋'.repeat(5000) });
  });

  it('a comment needs a thread of the own company', async () => {
    await expect(comment('Hello', BO)).rejects.toEqual(notFound);
    const stranger = parley.directory.createCompany({ messagingEnabled: true });
    const theirs = asEmployee(stranger.companyId, stranger.ownerId);
    await expect(comments.createComment({ phoneNumber: ANE, text: 'Hello' }, theirs)).rejects.toEqual(notFound);
    await comment('Secret');
    expect((await inbox.listActivity({ phoneNumber: ANE, limit: 50 }, theirs)).items).toEqual([]);
    await expect(comment('Hello', 'nobody')).rejects.toMatchObject({ refusal: { code: 'validation_failed' } });
  });

  it('a comment is stored encrypted, found by an index, and removed with the person', async () => {
    await comment('Bicycles for Ane');
    const stored = async () => {
      const documents = await parley.db.collection('comments').find({ companyId }, { raw: true }).toArray();
      return Buffer.concat(documents as unknown as Buffer[]).toString('latin1');
    };
    expect(await stored()).toContain(ANE);
    expect(await stored()).not.toContain('Bicycles');
    const filter = { companyId, phone: ANE, createdAt: { $lte: 1 } };
    const plan = await documentQueryPlan(parley.db, 'comments', filter, { sort: { createdAt: -1, _id: -1 } });
    expect(plan).toMatchObject({ index: 'thread', isUnindexed: false });

    const before = timestampFromDate(new Date());
    await comment('Written while the erasure begins');
    for (let position = '', done = false; !done;)
      ({ done, position } = await parley
        .as('directory')
        .client(PersonalDataService)
        .erasePerson({ companyId, phoneNumber: ANE, erasureId: 'era_1', before, position }));
    expect((await activity()).items).toEqual([]);
    expect(await stored()).not.toContain(ANE);
    const log = await parley.db.collection('event_log').find({ companyId }, { raw: true }).toArray();
    expect(Buffer.concat(log as unknown as Buffer[]).includes(ANE)).toBe(false);
  });
});
