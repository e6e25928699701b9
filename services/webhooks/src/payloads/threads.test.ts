import { describe, expect, it } from '@jest/globals';
import { encodeMessage } from '@parley/events';
import { ThreadState } from '@parley/proto/messaging_inbox/v1/inbox_pb';
import { dataOf } from '../../test/support/data-of.ts';

describe('thread payloads', () => {
  it.each([
    ['messaging-inbox.thread.assigned', 'thread.assigned'],
    ['messaging-inbox.thread.state_changed', 'thread.state_changed'],
  ] as const)('thread payloads of %s carry the assignee and the state', async (fact, event) => {
    const thread = { companyId: 'com_1', phoneNumber: '+4520304050', state: ThreadState.DONE };
    const assignee = { id: 'emp_1', name: 'Eva' };
    const shown = { phone_number: '+4520304050', assignee, state: 'done' };
    expect(await dataOf(fact, encodeMessage(fact, { thread: { ...thread, assignee } }).data)).toEqual([
      [event, { thread: shown }],
    ]);
    expect(await dataOf(fact, encodeMessage(fact, { thread }).data)).toEqual([
      [event, { thread: { ...shown, assignee: null } }],
    ]);
  });
});
