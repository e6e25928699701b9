import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { idleRelay } from '@parley/aggregates/idle-relay';
import { systemClock } from '@parley/clock';
import { encryptor } from '@parley/secrets';
import { insertEntities, queryPlans, testMongo } from '@parley/testkit';
import { searchWordKeys } from '@parley/text';
import { MongoClient } from 'mongodb';
import { anOutboundMessage } from '../../test/an-outbound-message.ts';
import type { OutboundMessage } from '../messages/message.ts';
import { type Messages, openMessages } from '../messages/message-store.ts';
import { type FindMessages, messageFinder } from './find-messages.ts';

const mongo = testMongo();
const client = new MongoClient(mongo.url, { monitorCommands: true });
const db = client.db(mongo.database().databaseName);
const TEXTS = 300;
const EXAMINED = 50;
const { companyId } = anOutboundMessage();
const all = { businessNumberId: undefined, phone: undefined };
const first = { limit: 20, after: undefined };
let find: FindMessages;

beforeAll(async () => {
  const keys = [randomBytes(32).toString('base64')];
  const wordKeys = searchWordKeys(keys);
  const messages = await openMessages({
    db,
    relay: idleRelay(),
    clock: systemClock,
    encryptor: encryptor(keys),
    wordKeys,
  });
  find = messageFinder({ messages, wordKeys, examinedMax: EXAMINED });
  await insertEntities(
    db,
    'messages',
    await Promise.all(Array.from({ length: TEXTS }, (_, index) => aText(messages, index))),
  );
}, 60_000);
async function aText(messages: Messages, index: number): Promise<OutboundMessage> {
  const id = `msg_${String(index).padStart(3, '0')}`;
  return {
    ...anOutboundMessage(),
    ...(await messages.sealText(companyId, id, index % 2 === 0 ? 'hello bicycles even' : 'hello invoices odd')),
    id,
    keys: [id],
    createdAtMicros: index,
    businessNumberId: index === 0 ? 'num_rare' : 'num_1',
    externalNumber: index % 10 === 0 ? '+4520304051' : '+4520304050',
  };
}
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
    found = (await find(companyId, query, first)).texts.map(({ id }) => id);
  });
  expect(found).toHaveLength(count);
  expect(found).toEqual(found.toSorted().toReversed());
  const [plan] = plans.filter(({ collection }) => collection === 'messages');
  expect(plan).toMatchObject({ index, isUnindexed: false });
  expect(plan!.stages).not.toContain('SORT');
  expect(plan!.docsExamined).toBeLessThanOrEqual(EXAMINED);
});

it('words that no text has together end after pages that each look at so many', async () => {
  const query = { ...all, words: ['bicycles', 'odd'] };
  let pages = 0;
  for (let after: Parameters<FindMessages>[2]['after']; pages < 10; pages++) {
    const { texts, next } = await find(companyId, query, { limit: 20, after });
    expect(texts).toEqual([]);
    if (!next) break;
    after = next;
  }
  expect(pages).toBe(TEXTS / 2 / EXAMINED);
});
