import { CommentService } from '@parley/proto/messaging_inbox/v1/comments_pb';
import { InboxService, ThreadState } from '@parley/proto/messaging_inbox/v1/inbox_pb';
import { MessageSearchService } from '@parley/proto/messaging_inbox/v1/message_search_pb';
import { MessageService } from '@parley/proto/messaging_inbox/v1/messages_pb';
import { NotificationService } from '@parley/proto/messaging_inbox/v1/notifications_pb';
import { PushSubscriptionService } from '@parley/proto/messaging_inbox/v1/push_subscriptions_pb';
import { TextSnippetService } from '@parley/proto/messaging_inbox/v1/snippets_pb';
import { asEmployee } from '@parley/testkit/service';
import { missingFields, RELEASE_KEY, RELEASE_WRITES, releaseDocuments, restoreRelease } from '@parley/testkit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startMessagingInbox, type TestMessagingInbox } from './start-messaging-inbox.ts';

const released = releaseDocuments('messaging-inbox');
const [settings] = released['notification_settings'] ?? [];
const companyId = String(settings?.companyId);
const CUSTOMER = '+4520304050';

let inbox: TestMessagingInbox;
beforeAll(async () => {
  inbox = await startMessagingInbox({ ENCRYPTION_KEY: RELEASE_KEY });
  inbox.directory.createCompany({ companyId, messagingEnabled: true });
  for (const employeeId of employeeIds()) inbox.directory.addEmployee({ id: employeeId, companyId });
}, 60_000);
afterAll(() => inbox?.stop());

const employeeIds = () => new Set(JSON.stringify(released).match(/emp_\w{32}/g) ?? []);

describe.each(RELEASE_WRITES)('an inbox that the last release stored %s', (_, when) => {
  const me = asEmployee(companyId, String(settings?._id));

  beforeAll(async () => {
    await inbox.stopService();
    await restoreRelease(inbox.db, released, when);
    await inbox.restart();
  });

  it('an inbox that the last release stored shows its texts and comments, and finds them', async () => {
    const gateway = inbox.as('gateway');
    const messages = gateway.client(MessageService);
    for (const { _id: id } of released['messages'] ?? [])
      expect((await messages.getMessage({ id }, me)).message?.text).toMatch(/open|Sunday|until noon|STOP|afmeldt/);
    const { threads } = await gateway.client(InboxService).listThreads({ limit: 10 }, me);
    expect(threads.map(({ phoneNumber }) => phoneNumber)).toContain(CUSTOMER);
    const { items } = await gateway.client(InboxService).listActivity({ phoneNumber: CUSTOMER, limit: 50 }, me);
    expect(items).not.toEqual([]);
    const search = await gateway.client(MessageSearchService).searchMessages({ query: 'afmeldt', limit: 10 }, me);
    expect(search.messages).not.toEqual([]);
  });

  it('an inbox that the last release stored is changed, and keeps every field that the release reads', async () => {
    const gateway = inbox.as('gateway');
    await gateway.client(CommentService).createComment({ phoneNumber: CUSTOMER, text: 'She came.' }, me);
    const change = { phoneNumber: CUSTOMER, state: ThreadState.DONE };
    const { thread } = await gateway.client(InboxService).updateThread(change, me);
    expect(thread?.state).toBe(ThreadState.DONE);
    const [snippet] = released['text_snippets'] ?? [];
    const updated = await gateway
      .client(TextSnippetService)
      .updateTextSnippet({ id: snippet?._id ?? '', title: 'Other' }, me);
    expect(updated.snippet).toMatchObject({ title: 'Other', text: snippet?.text });
    expect(await missingFields(inbox.db, released)).toEqual([]);
  });

  it('an inbox that the last release stored has settings of notifications and browsers', async () => {
    const gateway = inbox.as('gateway');
    const employeeId = me.as.employeeId;
    const { notifications } = await gateway.client(NotificationService).getNotifications({ employeeId }, me);
    expect(notifications).toMatchObject({
      text: { email: true, push: false },
      assistant: { email: false, push: false },
    });
    const { pushSubscriptions } = await gateway.client(PushSubscriptionService).listPushSubscriptions({}, me);
    expect(pushSubscriptions).toHaveLength(1);
  });
});
