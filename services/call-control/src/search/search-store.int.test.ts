import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTelemetry } from '@parley/telemetry';
import { queryPlans, testMongo } from '@parley/testkit';
import { MongoClient } from 'mongodb';
import type { Call, CallDirection } from '../calls/model/call.ts';
import { derivedFields } from '../calls/model/derived-fields.ts';
import { ada, inbound, transfer } from '../../test/test-call.ts';
import type { Speech } from '../speech/speech-client.ts';
import { openSearch, type SearchIndex } from './search-store.ts';
import { searchWordKeys } from '@parley/text';

const mongo = testMongo();
const client = new MongoClient(mongo.url, { monitorCommands: true });
const db = client.db(mongo.database().databaseName);
const { log } = startTelemetry({ service: 'test', version: '0', logLevel: 'silent' });
/** More than are ranked for a word, and more than are compared by meaning. */
const CALLS = 70;
const [oldKey, newKey] = [1, 2].map(() => randomBytes(32).toString('base64')) as [string, string];
const wordKeys = searchWordKeys([newKey, oldKey]);
const limits = { wordMatches: 20, compared: 50 };
let search: SearchIndex;

/** Texts about the same thing have the same direction. */
const topics = ['bicycle', 'weather', 'invoice'];
const speech: Pick<Speech, 'embed'> = {
  embed: async (texts) => ({
    model: 'test',
    vectors: texts.map((text) => {
      const topic = topics.findIndex((word) => text.includes(word));
      return Array.from({ length: 16 }, (_, at) => (at === topic ? 1 : 0.01));
    }),
  }),
};

const template = inbound(transfer(ada)).call;

function callOf(index: number, direction: CallDirection, numberId: string, remote: string): Call {
  const startedAt = new Date(Date.parse('2026-03-01T00:00:00Z') + index * 1000);
  const sides = direction === 'inbound' ? { from: remote, to: '+4570101010' } : { from: '+4570101010', to: remote };
  const number = { ...template.number, id: numberId };
  const call = { ...template, ...sides, id: `cal_${index}`, direction, number, startedAt };
  return { ...call, ...derivedFields(call) };
}

async function add(call: Call, text: string): Promise<void> {
  const segment = { speaker: 'x', text, employeeId: null, startMs: 0, endMs: 1 };
  await search.add(call, { id: call.id, companyId: call.companyId, segments: [segment], text, summary: null });
}

beforeAll(async () => {
  search = await openSearch({ db, speech: speech as Speech, callerText: async () => '', wordKeys, log, limits });
  // The oldest two differ from all later ones in the filtered fields.
  await add(callOf(0, 'outbound', 'num_2', '+4520000002'), 'Hello about the bicycle.');
  await add(callOf(1, 'inbound', 'num_3', '+4520000003'), 'Hello about the bicycle.');
  for (let start = 2; start < CALLS; start += 50)
    await Promise.all(
      Array.from({ length: Math.min(50, CALLS - start) }, (_, i) =>
        add(callOf(start + i, 'inbound', 'num_1', '+4520000001'), 'Hello about the bicycle.'),
      ),
    );
}, 120_000);
afterAll(async () => {
  await client.close();
  await mongo.close();
});

const idsOf = async (...args: Parameters<SearchIndex['find']>) => [...(await search.find(...args)).ids];

/** The plans of the queries of a search. */
const plansOf = async (work: () => Promise<unknown>) =>
  (await queryPlans(client, db, work)).filter(
    ({ command, collection }) => command === 'find' && collection === 'call_search',
  );

it('a search finds words while the speech service is away', async () => {
  const away = { embed: () => Promise.reject(new Error('away')) } as unknown as Speech;
  const words = await openSearch({ db, speech: away, callerText: async () => '', wordKeys, log, limits });
  expect(await words.find('com_1', 'hello', { direction: 'outbound' }, 100)).toEqual({ ids: ['cal_0'], model: null });
});

describe('the words of a call', () => {
  const remote = '+4520000010';
  const call = callOf(-1, 'inbound', 'num_5', remote);
  const find = (query: string) => idsOf('com_1', query, { remoteNumber: remote }, 100);

  it('the words of a call are not in the database, and are found', async () => {
    await add(call, 'The weather in Vejle.');
    const stored = await db.collection('call_search').findOne({ remoteNumber: remote });
    expect(JSON.stringify(stored?.['words'])).not.toMatch(/weather|vejle/i);
    expect(await find('Vejle')).toEqual([call.id]);
  });

  it('the words of a call are found under an older key', async () => {
    const older = await openSearch({
      db,
      speech: speech as Speech,
      callerText: async () => '',
      wordKeys: searchWordKeys([oldKey]),
      log,
      limits,
    });
    const segment = { speaker: 'x', text: 'A receipt.', employeeId: null, startMs: 0, endMs: 1 };
    await older.add(call, { id: call.id, companyId: 'com_1', segments: [segment], text: '', summary: null });
    expect(await find('receipt')).toEqual([call.id]);
  });
});

describe('caller context that is saved after the call', () => {
  const caller = '+4520000009';
  const find = (query: string) => idsOf('com_1', query, { remoteNumber: caller }, 100);
  beforeAll(() => add(callOf(CALLS, 'inbound', 'num_4', caller), 'A hello about the weather.'));

  it('caller context that is saved after the call finds the call by its words and meaning, and what it replaces does not', async () => {
    await search.updateCaller('com_1', caller, 'Gold customer with an open invoice.');
    expect([await find('gold'), await find('invoices')]).toEqual([[`cal_${CALLS}`], [`cal_${CALLS}`]]);
    await search.updateCaller('com_1', caller, 'Silver bicycle hello.');
    expect([await find('gold'), await find('invoices')]).toEqual([[], []]);
    expect([await find('silver'), await find('hello'), await find('weather')]).toEqual(Array(3).fill([`cal_${CALLS}`]));
    await search.updateCaller('com_1', caller, '');
    expect([await find('silver'), await find('hello')]).toEqual([[], [`cal_${CALLS}`]]);
  });

  it('caller context that is saved after the call of another company or number changes nothing', async () => {
    await search.updateCaller('com_2', caller, 'Platinum customer.');
    await search.updateCaller('com_1', '+4520000008', 'Platinum customer.');
    expect(await idsOf('com_1', 'platinum', {}, 100)).toEqual([]);
  });
});

describe('a search with filters', () => {
  it.each([
    [{ direction: 'outbound' }, 'cal_0'],
    [{ numberId: 'num_2' }, 'cal_0'],
    [{ numberId: 'num_3', direction: 'inbound' }, 'cal_1'],
    [{ remoteNumber: '+4520000002' }, 'cal_0'],
    [{ remoteNumber: '+4520000003', numberId: 'num_3', direction: 'inbound' }, 'cal_1'],
  ] as const)('a search with filters finds a call behind many newer ones: %j', async (filter, id) => {
    expect(await idsOf('com_1', 'hello', filter, 100)).toEqual([id]);
    expect(await idsOf('com_1', 'bicycles', filter, 100)).toEqual([id]);
  });

  it.each([
    { numberId: 'num_3', direction: 'outbound' },
    { remoteNumber: '+4520000002', direction: 'inbound' },
    { remoteNumber: '+4520000002', numberId: 'num_1' },
    { startedBefore: new Date('2026-02-01') },
  ] as const)('a search with filters finds nothing where the filters exclude each other: %j', async (filter) => {
    expect(await idsOf('com_1', 'hello bicycle', filter, 100)).toEqual([]);
  });

  it('a search with filters finds given calls behind many newer ones by words and meaning, and no others', async () => {
    const filter = { among: ['cal_1', 'cal_0', 'cal_unknown'] };
    expect(await idsOf('com_1', 'hello', filter, 100)).toEqual(['cal_1', 'cal_0']);
    expect(await idsOf('com_1', 'bicycles', filter, 100)).toEqual(['cal_1', 'cal_0']);
    expect(await idsOf('com_1', 'receipt', filter, 100)).toEqual([]);
    expect(await idsOf('com_2', 'hello', filter, 100)).toEqual([]);
    expect(await idsOf('com_1', 'hello', { among: [] }, 100)).toEqual([]);
    const queries = await plansOf(() => idsOf('com_1', 'hello', filter, 100));
    expect(queries).toMatchObject([{ isUnindexed: false, docsExamined: 2 }]);
  });

  it.each([
    {},
    { direction: 'inbound' },
    { direction: 'outbound' },
    { numberId: 'num_1' },
    { numberId: 'num_3' },
    { numberId: 'num_1', direction: 'inbound' },
    { remoteNumber: '+4520000001' },
    { remoteNumber: '+4520000003', numberId: 'num_3', direction: 'inbound' },
  ] as const)('a search with filters reads what it ranks and no more, in the order of an index: %j', async (filter) => {
    let found: string[] = [];
    const queries = await plansOf(async () => (found = await idsOf('com_1', 'hello bicycle', filter, 100)));
    expect(found.length).toBeGreaterThan(0);
    for (const query of queries) {
      expect(query).toMatchObject({ index: expect.any(String), isUnindexed: false, docsExamined: query.returned });
      expect(query.docsExamined).toBeLessThanOrEqual(query.index === 'list' ? limits.compared : limits.wordMatches);
    }
  });
});
