// Measures what lists and searches of calls read as a company's calls grow: documents examined, as the database itself counts them.
import { countWithEvents, insertEntities, type StoredEntity, storedEntities } from '@parley/testkit/stored-documents';
import { waitUntil } from '@parley/testkit/wait-until';
import { Binary, type Db, MongoClient } from 'mongodb';
import { createNumber } from '../business-numbers/create-number.ts';
import { type Company, createTestCompany, sandbox } from '../support/api.ts';
import type { LocalJson } from '../support/local-stack.ts';
import { withStackAndMongo } from './bench-stack.ts';

/** The two are compared. Another size, up to a million, only takes longer. */
const SIZES = [10_000, 200_000] as const;
const BATCH = 5000;
const NUMBERS = 20;
const CALLERS = 5000;
const WORDS = 2000;
const WORDS_PER_CALL = 12;
const BUCKET_TABLES = 6;
const BUCKETS = 1024;
const VECTOR_BYTES = 384;
/** Other work of the stack is counted too; the least of several is the request's own. */
const REPETITIONS = 3;

export function benchmarkCallLists(): Promise<void> {
  return withStackAndMongo({ processes: 'one' }, async ({ local }, mongoUrl) => {
    const client = await new MongoClient(mongoUrl).connect();
    try {
      await measure(local, client);
    } finally {
      await client.close();
    }
  });
}

async function measure(local: LocalJson, client: MongoClient): Promise<void> {
  const company = await createTestCompany(local);
  const db = client.db('parley_call_control');
  const template = await placeOneCall(local, company, db);
  const examined = new Map<string, number[]>();
  const times = new Map<string, number>();
  let filled = 0;
  for (const size of SIZES) {
    for (; filled < size; filled += BATCH) await fill(db, template, filled);
    console.log(`  ${size} calls are stored`);
    // The first requests after so many writes wait for the database.
    await waitUntil(async () => (await company.call('GET', '/calls')).status === 200, {
      what: 'a list',
      timeoutMs: 120_000,
    });
    for (const query of queries) {
      const { documents, ms } = await cost(client, company, query);
      examined.set(query, [...(examined.get(query) ?? []), documents]);
      times.set(query, ms);
    }
  }
  console.log(`  documents examined with ${SIZES.join(' and ')} calls; time with the latter`);
  for (const [query, [few = 0, many = 0]] of examined)
    console.log(
      `  ${`/calls?${query}`.padEnd(64)} ${String(few).padStart(5)} ${String(many).padStart(5)} ${times.get(query)!.toFixed(0).padStart(6)} ms`,
    );
  const growing = [...examined].filter(([, [few = 0, many = 0]]) => many > few * 1.5 + 20);
  if (growing.length > 0)
    throw new Error(`these read more as calls grow: ${growing.map(([query]) => query).join(', ')}`);
}

const numberOf = (index: number) => `num_${index % NUMBERS}`;
const callerOf = (index: number) => `+4520${String(index % CALLERS).padStart(6, '0')}`;
const phone = encodeURIComponent(callerOf(7));
const queries = [
  'limit=50',
  'limit=50&main_number_id=num_7',
  `limit=50&phone_number=${phone}`,
  'limit=50&direction=outbound',
  'limit=50&state=ended',
  'limit=50&state=queued',
  `limit=50&main_number_id=num_7&phone_number=${phone}&direction=inbound&state=ended`,
  'limit=50&query=common',
  'limit=50&query=rare17',
  'limit=50&query=common%20word3%20rare17',
  'limit=50&query=common&direction=outbound',
  'limit=50&query=common&main_number_id=num_7',
  `limit=50&query=common&phone_number=${phone}`,
  `limit=50&query=common&main_number_id=num_7&phone_number=${phone}&direction=inbound&state=ended`,
];

/** A call that the product made, as the others are stored. */
async function placeOneCall(local: LocalJson, company: Company, db: Db): Promise<StoredEntity> {
  const config = { type: 'TransferConfig', employee_ids: [company.owner.id] };
  const { body: number } = await createNumber(company, { incoming_call_config: config }, local);
  await company.call('PUT', `/business_numbers/${number.id}/outside_business_hours_config`, { type: null });
  const { body: leg } = await sandbox(local, 'POST', '/calls', { from: callerOf(0), to: number.number });
  const callOf = async () => (await sandbox(local, 'GET', `/legs/${leg.leg_id}`)).body.call_id;
  await waitUntil(callOf, { what: 'a call', timeoutMs: 120_000 });
  await sandbox(local, 'POST', `/legs/${leg.leg_id}/hangup`);
  const ended = async () => {
    const [call] = await storedEntities(db, 'calls', { state: 'ended' });
    return call && (await countWithEvents(db, 'calls', { _id: call.id })) === 0 && call;
  };
  return waitUntil(ended, { what: 'the end of the call', timeoutMs: 120_000 });
}

/** Adds calls, each later than those before, with their transcripts. */
async function fill(db: Db, template: StoredEntity, from: number): Promise<void> {
  const indexes = Array.from({ length: BATCH }, (_, index) => from + index);
  await insertEntities(
    db,
    'calls',
    indexes.map((index) => callOf(template, index)),
  );
  await insertEntities(
    db,
    'call_search',
    indexes.map((index) => searchEntryOf(template, index)),
  );
}

function filtersOf(index: number) {
  const [numberId, remoteNumber] = [numberOf(index), callerOf(index)];
  const direction = index % 5 === 0 ? 'outbound' : 'inbound';
  const listKeys = ['', numberId].flatMap((a) =>
    ['', direction].flatMap((b) => ['', remoteNumber].map((c) => `${a}|${b}|${c}`)),
  );
  return { numberId, direction, remoteNumber, listKeys, startedAt: new Date(Date.UTC(2020, 0, 1) + index * 60_000) };
}

function callOf(template: StoredEntity, index: number): StoredEntity {
  const { numberId, ...filters } = filtersOf(index);
  return { ...template, ...filters, id: idOf(index), number: { ...template.number, id: numberId } };
}

function searchEntryOf({ companyId }: StoredEntity, index: number): StoredEntity {
  const words = Array.from({ length: WORDS_PER_CALL }, (_, word) => `word${(index * 31 + word * 7) % WORDS}`);
  return {
    id: idOf(index),
    companyId,
    ...filtersOf(index),
    words: ['common', ...(index % 1000 === 17 ? ['rare17'] : []), ...new Set(words)],
    model: 'benchmark',
    vectors: [new Binary(Buffer.alloc(VECTOR_BYTES, index % 127))],
    buckets: Array.from({ length: BUCKET_TABLES }, (_, table) => `${table}.${(index * (table * 2 + 3)) % BUCKETS}`),
  };
}

const idOf = (index: number) => `cal_${String(index).padStart(32, '0')}`;

async function cost(client: MongoClient, company: Company, query: string): Promise<{ documents: number; ms: number }> {
  const measured: { documents: number; ms: number }[] = [];
  for (let repetition = 0; repetition < REPETITIONS; repetition++) {
    const before = await documentsExamined(client);
    const startedAt = performance.now();
    const { status, text } = await company.call('GET', `/calls?${query}`);
    const ms = performance.now() - startedAt;
    if (status !== 200) throw new Error(`/calls?${query}: ${text}`);
    measured.push({ documents: (await documentsExamined(client)) - before, ms });
  }
  return {
    documents: Math.min(...measured.map(({ documents }) => documents)),
    ms: Math.min(...measured.map(({ ms }) => ms)),
  };
}

async function documentsExamined(client: MongoClient): Promise<number> {
  const { metrics } = await client.db('admin').command({ serverStatus: 1 });
  return Number(metrics.queryExecutor.scannedObjects);
}
