import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TextSnippetService } from '@parley/proto/messaging_inbox/v1/snippets_pb';
import { documentQueryPlan } from '@parley/testkit';
import { asEmployee } from '@parley/testkit/service';
import { startMessagingInbox, type TestMessagingInbox } from './start-messaging-inbox.ts';

const MAX = 10;
let parley: TestMessagingInbox;
beforeAll(async () => {
  parley = await startMessagingInbox({ TEXT_SNIPPETS_MAX: String(MAX) });
}, 60_000);
afterAll(() => parley?.stop());

describe('the cap on text snippets', () => {
  it('the cap on text snippets is exact when many are created at once at two replicas, and a deleted one frees its slot', async () => {
    const { companyId, ownerId } = parley.directory.createCompany({ messagingEnabled: true });
    const me = asEmployee(companyId, ownerId);
    const replicas = parley.replicas.map((channel) => channel.client(TextSnippetService));
    const create = (index: number) =>
      replicas[index % 2]!.createTextSnippet({ title: `Title ${index}`, text: 'Text' }, me);
    const results = await Promise.allSettled(Array.from({ length: 3 * MAX }, (_, index) => create(index)));
    const created = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.snippet!] : []));
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(created).toHaveLength(MAX);
    expect(refused.map(({ refusal }) => refusal.code)).toEqual(refused.map(() => 'limit_reached'));

    await replicas[0]!.deleteTextSnippet({ id: created[0]!.id }, me);
    const again = await Promise.allSettled([create(0), create(1), create(2)]);
    expect(again.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const listed = [];
    for await (const { snippets } of replicas[1]!.listTextSnippets({}, me)) listed.push(...snippets);
    expect(listed).toHaveLength(MAX);
  });

  it('the cap on text snippets is looked at with queries that use an index', async () => {
    for (const sort of [{ position: 1, createdOrder: 1 }, { slot: 1 }] as Record<string, 1>[]) {
      const plan = await documentQueryPlan(parley.db, 'text_snippets', { companyId: 'com_1' }, { sort });
      expect(plan).toMatchObject({ index: expect.any(String), isUnindexed: false });
    }
  });
});
