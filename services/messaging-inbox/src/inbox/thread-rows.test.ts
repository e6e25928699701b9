import { create, fromBinary } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { InboxThreadSchema } from '@parley/proto/messaging_inbox/v1/inbox_pb';
import { MessageStatus } from '@parley/proto/messaging_inbox/v1/messages_pb';
import { newThread, type Thread, type ThreadSummary } from '../projection/thread.ts';
import { type ThreadContext, threadToProto } from './inbox-proto.ts';
import type { ListedThread } from './list-threads-store.ts';
import { threadRows } from './thread-rows.ts';

const summaryOf = (content: ThreadSummary['latestItem']['content']): ThreadSummary => ({
  lastActivityAt: 1_700_000_000_123_456,
  latestItem: { id: 'itm_1', businessNumberId: 'num_1', direction: 'inbound', content },
  unseenCount: 2,
  unseen: true,
});
const text = summaryOf({ type: 'message' });
const call = summaryOf({ type: 'call', missed: true, summary: null });
const contact = {
  id: 'con_1',
  phone: '+4520304050',
  phoneFormatted: '+45 20 30 40 50',
  name: 'Åse',
  email: null,
  companyName: null,
  note: null,
  createdAt: new Date(1000),
  updatedAt: new Date(2000),
};
const shown: ThreadContext = {
  contact: undefined,
  message: { text: 'Hello', status: MessageStatus.QUEUED },
  withMessages: true,
  canSend: () => false,
  nameOf: () => 'Ane',
  texts: { seal: () => null, textOf: () => null },
};
const handling = { assigneeId: 'emp_1', done: false, doneThrough: 0, revision: 1 };
const aThread = (fields: Partial<Thread> = {}): Thread => ({
  ...newThread('com_1', 'all', '+4520304050'),
  withMessages: text,
  withoutMessages: call,
  businessNumberIds: ['num_1', 'num_2'],
  callNumberIds: ['num_1'],
  handling,
  ...fields,
});

describe('the row of a thread', () => {
  const encode = threadRows();
  const thread = aThread();
  const decoded = (listed: ListedThread, context: ThreadContext) => {
    const row = encode(listed, context);
    // Twice: the second time it is the cached one.
    expect(encode({ ...listed }, { ...context })).toBe(row);
    return fromBinary(InboxThreadSchema, row);
  };

  it.each<[string, ThreadSummary, Partial<ThreadContext>]>([
    ['as it is', text, {}],
    ['with a contact', text, { contact }],
    ['with another contact', text, { contact: { ...contact, name: 'Ane' } }],
    ['with another status of its text', text, { message: { text: 'Hello', status: MessageStatus.DELIVERED } }],
    ['with another text', text, { message: { text: 'Bye', status: MessageStatus.DELIVERED } }],
    ['without its text', text, { message: undefined }],
    ['whose number can send', text, { canSend: () => true }],
    ['whose assignee has another name', text, { nameOf: () => 'Bo' }],
    ['whose assignee is no employee any more', text, { nameOf: () => undefined }],
    ['without texts', call, { withMessages: false }],
  ])('the row of a thread %s is what it would be without a cache', (_how, summary, change) => {
    const context = { ...shown, ...change };
    const listed = { thread, summary };
    expect(decoded(listed, context)).toEqual(create(InboxThreadSchema, threadToProto(listed, context)));
  });

  it('the row of a thread is that of the thread as it was read now', () => {
    const done = aThread({ handling: { ...handling, done: true, revision: 2 } });
    expect(decoded({ thread: done, summary: text }, shown).state).not.toBe(
      decoded({ thread, summary: text }, shown).state,
    );
  });
});
