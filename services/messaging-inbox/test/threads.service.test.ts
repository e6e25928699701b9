import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Event } from '@parley/events';
import { InboxService, ThreadState } from '@parley/proto/messaging_inbox/v1/inbox_pb';
import { ProviderCallbackService } from '@parley/proto/messaging_inbox/v1/provider_callbacks_pb';
import type { RpcClient } from '@parley/rpc';
import { waitUntil } from '@parley/testkit';
import { asEmployee, type FakeEmployee, type FakeNumber } from '@parley/testkit/service';
import { startMessagingInbox, type TestMessagingInbox } from './start-messaging-inbox.ts';
import { receivedEvent } from './test-provider.ts';

const ANE = '+4520304050';
const BO = '+4520304051';
const { OPEN, DONE } = ThreadState;
const notFound = expect.objectContaining({ refusal: expect.objectContaining({ code: 'not_found' }) });

let parley: TestMessagingInbox;
let inboxes: readonly RpcClient<typeof InboxService>[];
let callbacks: RpcClient<typeof ProviderCallbackService>;
let events: readonly Event[];
beforeAll(async () => {
  parley = await startMessagingInbox();
  inboxes = parley.replicas.map((replica) => replica.client(InboxService));
  callbacks = parley.replicas[1].client(ProviderCallbackService);
  events = await parley.record('messaging-inbox.thread.*');
}, 60_000);
afterAll(() => parley?.stop());

let companyId: string;
let me: ReturnType<typeof asEmployee>;
let eva: FakeEmployee;
let number: FakeNumber;
beforeEach(() => {
  ({ companyId } = parley.directory.createCompany({ messagingEnabled: true }));
  me = asEmployee(companyId);
  eva = parley.directory.addEmployee({ companyId, name: 'Eva' });
  number = parley.numbers.addNumber(companyId);
});

const receive = (from: string, to = number.number) =>
  callbacks.receiveCallback(parley.provider.callback(receivedEvent({ from, to, text: 'Hello' })));
const update = async (phoneNumber: string, change: { assigneeId?: string; state?: ThreadState }, replica = 0) =>
  (await inboxes[replica]!.updateThread({ phoneNumber, ...change }, me)).thread!;
const listed = async (filter: { assigneeId?: string; state?: ThreadState; businessNumberId?: string }, replica = 1) =>
  (await inboxes[replica]!.listThreads({ limit: 50, ...filter }, me)).threads.map(({ phoneNumber }) => phoneNumber);
const publishedOf = () => events.filter((event) => event.companyId === companyId).map(({ type }) => type);

describe('a thread', () => {
  it('a thread is open and assigned to nobody at first', async () => {
    await receive(ANE);
    const { threads } = await inboxes[0]!.listThreads({ limit: 50 }, me);
    expect(threads).toMatchObject([{ phoneNumber: ANE, state: OPEN }]);
    expect(threads[0]!.assignee).toBeUndefined();
  });

  it('a thread is listed by its assignee and its state at once, at every replica and for its business number', async () => {
    await receive(ANE);
    await receive(BO);
    expect(await update(ANE, { assigneeId: eva.id })).toMatchObject({
      phoneNumber: ANE,
      assignee: { id: eva.id, name: 'Eva' },
      state: OPEN,
    });
    expect(await listed({ assigneeId: eva.id })).toEqual([ANE]);
    expect(await update(ANE, { state: DONE }, 1)).toMatchObject({ assignee: { id: eva.id }, state: DONE });
    expect(await listed({ state: DONE }, 0)).toEqual([ANE]);
    expect(await listed({ state: DONE, businessNumberId: number.id }, 0)).toEqual([ANE]);
    expect(await listed({ state: OPEN })).toEqual([BO]);
    expect(await listed({ state: OPEN, assigneeId: eva.id })).toEqual([]);
    expect((await update(ANE, { assigneeId: '' })).assignee).toBeUndefined();
    expect(await listed({ assigneeId: eva.id })).toEqual([]);
  });

  it('a thread that is done is open again after a new text, with its assignee, also at another business number', async () => {
    const other = parley.numbers.addNumber(companyId);
    await receive(ANE);
    await update(ANE, { assigneeId: eva.id, state: DONE });
    await receive(ANE, other.number);
    const { threads } = await inboxes[0]!.listThreads({ limit: 50 }, me);
    expect(threads).toMatchObject([{ phoneNumber: ANE, state: OPEN, assignee: { id: eva.id } }]);
    for (const businessNumberId of [number.id, other.id]) {
      const inState = (state: ThreadState) => listed({ state, businessNumberId });
      await waitUntil(async () => (await inState(OPEN)).length === 1, { what: 'the thread of the number to be open' });
      expect(await inState(DONE)).toEqual([]);
      expect(await listed({ assigneeId: eva.id, businessNumberId })).toEqual([ANE]);
    }
    await waitUntil(() => publishedOf().length === 3, { what: 'three events' });
    expect(publishedOf().toSorted()).toEqual([
      'messaging-inbox.thread.assigned',
      'messaging-inbox.thread.state_changed',
      'messaging-inbox.thread.state_changed',
    ]);
    expect(await update(ANE, { state: DONE })).toMatchObject({ state: DONE });
  });

  it('a thread that changes nothing publishes nothing', async () => {
    await receive(ANE);
    await update(ANE, { state: DONE });
    await update(ANE, { state: DONE });
    await update(ANE, { assigneeId: '' });
    await update(ANE, { state: OPEN });
    // Events of a thread are published in their order: whatever the others published comes before this one.
    await update(ANE, { assigneeId: eva.id });
    const [changed, assigned] = ['messaging-inbox.thread.state_changed', 'messaging-inbox.thread.assigned'];
    await waitUntil(() => publishedOf().includes(assigned), { what: 'the event of the assignment' });
    expect(publishedOf()).toEqual([changed, changed, assigned]);
  });

  it('a thread that does not exist, and an employee of another company, are not found', async () => {
    const stranger = parley.directory.addEmployee({ name: 'Stranger' });
    await receive(ANE);
    await expect(update(BO, { state: DONE })).rejects.toEqual(notFound);
    await expect(update(ANE, { assigneeId: stranger.id })).rejects.toEqual(notFound);
    await expect(update(ANE, { assigneeId: 'emp_unknown' })).rejects.toEqual(notFound);
    await expect(listed({ assigneeId: stranger.id })).rejects.toEqual(notFound);
    expect(await listed({ state: OPEN })).toEqual([ANE]);
  });

  it('a thread has both of two first changes at the same time', async () => {
    await receive(ANE);
    await Promise.all([update(ANE, { assigneeId: eva.id }), update(ANE, { state: DONE }, 1)]);
    await waitUntil(async () => (await listed({ assigneeId: eva.id, state: DONE })).length === 1, {
      what: 'both changes to be listed',
    });
  });

  it('a thread of an employee who has left is assigned to nobody', async () => {
    await receive(ANE);
    await update(ANE, { assigneeId: eva.id });
    parley.directory.deleteEmployee(eva.id);
    expect((await inboxes[0]!.listThreads({ limit: 50 }, me)).threads[0]!.assignee).toBeUndefined();
  });
});
