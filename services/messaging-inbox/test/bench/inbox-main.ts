// The inbox of a company with ten thousand items beside one with a million: what its pages cost by their plans and by the clock.
import { ownMongo, queryPlans } from '@parley/testkit';
import { MongoClient } from 'mongodb';
import { openContactCopies } from '../../src/contacts/contact-copy-store.ts';
import { ALL_NUMBERS } from '../../src/projection/inbox-item.ts';
import { openInbox } from '../../src/projection/inbox-store.ts';
import { listActivity } from '../../src/inbox/list-activity-store.ts';
import { listThreads, type ThreadQuery } from '../../src/inbox/list-threads-store.ts';
import { COMPANY, familyName, fillContacts, fillInbox, itemId, phoneOf, timeOf } from '../fill-inbox.ts';

const SMALL = 10_000;
const LARGE = Number(process.env['PARLEY_BENCH_ITEMS'] ?? 1_000_000);
const LIMIT = 50;
const REPEATS = 40;
const EXAMINED_PER_ITEM_MAX = 3;
/** Contacts that a query by name resolves, whatever it answers. */
const CANDIDATES_MAX = 100;
const RATIO_MAX = 1.5;

type Pages = Record<string, () => Promise<readonly unknown[]>>;

const mongo = await ownMongo();
const client = await new MongoClient(mongo.url, { monitorCommands: true }).connect();
let failed = false;

async function measure(items: number): Promise<Map<string, { examined: number; ms: number }>> {
  const db = client.db(`inbox_${items}`);
  const store = await openInbox(db);
  const contacts = await openContactCopies(db);
  const threads = items / 20;
  const started = performance.now();
  await fillInbox(db, { threads, itemsPerThread: 10, busyItems: items / 2 });
  await fillContacts(db, threads, 40);
  console.log(
    `  ${items} items in ${threads} threads, stored in ${((performance.now() - started) / 1000).toFixed(0)} s`,
  );

  const query: ThreadQuery = { scope: ALL_NUMBERS, withMessages: true, unseen: false, text: undefined };
  const page = (change: Partial<ThreadQuery>, n?: number) => () =>
    listThreads(
      { store, contacts },
      COMPANY,
      { ...query, ...change },
      {
        limit: LIMIT,
        after: n === undefined ? undefined : { at: timeOf(n), phone: phoneOf(n) },
      },
    );
  const busy = { companyId: COMPANY, phone: phoneOf(0), businessNumberId: undefined, withMessages: true };
  const observedAt = timeOf(items);
  const activity = (n?: number) => () => {
    const after = n === undefined ? undefined : { observedAt, at: timeOf(n), id: itemId(n) };
    return listActivity(store, busy, { limit: LIMIT, observedAt, after });
  };
  const pages: Pages = {
    'threads, first page': page({}),
    'threads, deep page': page({}, Math.floor(threads / 2)),
    'threads, unseen': page({ unseen: true }),
    'threads, unseen, deep': page({ unseen: true }, Math.floor(threads / 2)),
    'threads of a number': page({ scope: 'num_1' }),
    'threads, calls only': page({ withMessages: false, unseen: true }),
    'query, whole number': page({ text: phoneOf(Math.floor(threads / 3)).slice(3) }),
    'query, two digits': page({ text: '20' }),
    'query, two, deep': page({ text: '20' }, Math.floor(threads / 2)),
    'query, three digits': page({ text: '200' }),
    'query, five digits': page({ text: phoneOf(Math.floor(threads / 3)).slice(6) }),
    'query, name': page({ text: familyName(3).toLowerCase() }),
    'query, common name': page({ text: 'ane' }),
    'activity, first page': activity(),
    'activity, deep page': activity(items / 4),
  };
  const results = new Map<string, { examined: number; ms: number }>();
  for (const [name, read] of Object.entries(pages)) {
    let found = 0;
    const plans = await queryPlans(client, db, async () => void (found = (await read()).length));
    if (found === 0) throw new Error(`${name}: found nothing`);
    const candidates = plans.filter(({ collection }) => collection === 'contacts');
    const isBounded = candidates.every(({ docsExamined }) => docsExamined <= CANDIDATES_MAX);
    if (!isBounded) throw new Error(`${name}: resolves more than ${CANDIDATES_MAX} contacts`);
    const others = plans.filter((plan) => !candidates.includes(plan));
    const examined = others.reduce((sum, plan) => sum + plan.docsExamined, 0) / found;
    const times: number[] = [];
    for (let n = 0; n < REPEATS; n++) {
      const from = performance.now();
      await read();
      times.push(performance.now() - from);
    }
    results.set(name, { examined, ms: times.toSorted((a, b) => a - b)[Math.floor(REPEATS / 2)] ?? 0 });
  }
  return results;
}

const small = await measure(SMALL);
const large = await measure(LARGE);
for (const [name, { examined, ms }] of large) {
  const before = small.get(name)!;
  const ratio = ms / before.ms;
  const good = examined <= EXAMINED_PER_ITEM_MAX && ratio <= RATIO_MAX;
  if (!good) failed = true;
  console.log(
    `  ${name.padEnd(22)} ${examined.toFixed(2)} documents examined per item, ${before.ms.toFixed(2)} ms at ${SMALL}, ` +
      `${ms.toFixed(2)} ms at ${LARGE}, ratio ${ratio.toFixed(2)}${good ? '' : '  ← too much'}`,
  );
}
await client.close();
await mongo.close();
if (failed) process.exitCode = 1;
