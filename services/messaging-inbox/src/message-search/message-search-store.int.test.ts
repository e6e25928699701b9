import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { queryPlans, testMongo } from '@parley/testkit';
import { searchWordKeys } from '@parley/text';
import { MongoClient } from 'mongodb';
import { anOutboundMessage } from '../../test/an-outbound-message.ts';
import type { Messages } from '../messages/message-store.ts';
import { type MessageSearch, openMessageSearch } from './message-search-store.ts';

const mongo = testMongo();
const client = new MongoClient(mongo.url, { monitorCommands: true });
const db = client.db(mongo.database().databaseName);
const TEXTS = 300;
const EXAMINED = 50;
const { companyId } = anOutboundMessage();
const all = { businessNumberId: undefined, phone: undefined };
const first = { limit: 20, after: undefined };
let search: MessageSearch;

beforeAll(async () => {
  const messages = { textOf: ({ encryptedText }: { encryptedText: string }) => encryptedText } as unknown as Messages;
  const wordKeys = searchWordKeys([randomBytes(32).toString('base64')]);
  search = await openMessageSearch({ db, messages, wordKeys, examinedMax: EXAMINED });
  for (let index = 0; index < TEXTS; index++)
    await search.add({
      ...anOutboundMessage(),
      id: `msg_${String(index).padStart(3, '0')}`,
      createdAtMicros: index,
      businessNumberId: index === 0 ? 'num_rare' : 'num_1',
      externalNumber: index % 10 === 0 ? '+4520304051' : '+4520304050',
      encryptedText: index % 2 === 0 ? 'hello bicycles even' : 'hello invoices odd',
    });
}, 60_000);
afterAll(async () => {
  await client.close();
  await mongo.close();
});

it.each([
  ['word', { ...all, words: ['bicycles'] }, 20],
  ['word_of_number', { ...all, words: ['bicycles'], businessNumberId: 'num_rare' }, 1],
  ['person', { ...all, words: ['hello', 'even'], phone: '+4520304051' }, 20],
])('a search by %s reads an index in its order', async (index, query, count) => {
  let found: readonly string[] = [];
  const plans = await queryPlans(client, db, async () => {
    found = (await search.find(companyId, query, first)).texts.map(({ id }) => id);
  });
  expect(found).toHaveLength(count);
  expect(found).toEqual(found.toSorted().toReversed());
  const [plan] = plans.filter(({ collection }) => collection === 'message_search');
  expect(plan).toMatchObject({ index, isUnindexed: false });
  expect(plan!.stages).not.toContain('SORT');
  expect(plan!.docsExamined).toBeLessThanOrEqual(EXAMINED);
});

it('words that no text has together end after pages that each look at so many', async () => {
  const query = { ...all, words: ['bicycles', 'odd'] };
  let pages = 0;
  for (let after: Parameters<MessageSearch['find']>[2]['after']; pages < 10; pages++) {
    const { texts, next } = await search.find(companyId, query, { limit: 20, after });
    expect(texts).toEqual([]);
    if (!next) break;
    after = next;
  }
  expect(pages).toBe(TEXTS / 2 / EXAMINED);
});
