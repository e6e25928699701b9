// 100,000 contacts and 1,000 employees as one list each: the memory of the processes, and the latency of other requests.
import { setTimeout as sleep } from 'node:timers/promises';
import { insertEntities } from '@parley/testkit/stored-documents';
import { MongoClient } from 'mongodb';
import { type Company, createTestCompany } from '../support/api.ts';
import { type BenchStack, withStackAndMongo } from './bench-stack.ts';
import { percentile, residentMb } from './measuring.ts';

const CONTACTS = 100_000;
const EMPLOYEES = 1000;
const READS = 300;
const GROWTH_MB_MAX = 30;
/** One list after the other, like a busy client; otherwise a short list would only measure a saturated processor. */
const PAUSE_MS = 100;

/** All services in one process, as `npm start` runs them, and a process each, as a cluster does. */
export async function benchmarkLongLists(): Promise<void> {
  for (const processes of ['one', 'separate'] as const) {
    console.log(processes === 'one' ? 'all services in one process' : 'each service in a process of its own');
    await withStackAndMongo({ processes }, measureLists);
  }
}

async function measureLists(stack: BenchStack, mongoUrl: string): Promise<void> {
  const company = await createTestCompany(stack.local);
  await fill(mongoUrl, company.id);
  const { body: one } = await company.call('POST', '/contacts', { phone: '+4520304050' });
  const read = () => company.call('GET', `/contacts/${one.id}`);
  await timesMs(read, READS); // warm up
  for (const [what, address] of [
    [`${CONTACTS} contacts`, `${stack.local.base_url}/api/v1/contacts`],
    [`${EMPLOYEES} employees`, `${stack.local.base_url}/api/v1/employees`],
  ] as const) {
    const growth = watchGrowth(stack.pidsOf('services', 'gateway', 'directory'));
    const started = performance.now();
    const bytes = await list(company, address);
    const secs = (performance.now() - started) / 1000;
    const alone = await timesMs(read, READS);
    let listing = true;
    const lists = repeatedly(
      () => list(company, address),
      () => listing,
    );
    const beside = await timesMs(read, READS);
    listing = false;
    await lists;
    console.log(
      `  ${what.padEnd(16)} ${(bytes / 1e6).toFixed(1)} MB of JSON in ${secs.toFixed(1)} s; ` +
        `processes grow by ${growth.end()} MB (at most ${GROWTH_MB_MAX} wanted)`,
    );
    for (const share of [0.5, 0.95]) {
      const [quiet, busy] = [percentile(alone, share), percentile(beside, share)];
      console.log(
        `  ${''.padEnd(16)} another read: p${share * 100} ${quiet.toFixed(1)} ms alone, ${busy.toFixed(1)} ms beside it, ratio ${(busy / quiet).toFixed(2)}`,
      );
    }
  }
}

/** Measures how far each process grows above its present size, at its peak. */
function watchGrowth(pids: readonly number[]): { end(): string } {
  const before = pids.map(residentMb);
  const peaks = [...before];
  const watch = setInterval(() => {
    pids.forEach((pid, index) => (peaks[index] = Math.max(peaks[index] ?? 0, residentMb(pid))));
  }, 10);
  return {
    end() {
      clearInterval(watch);
      return peaks.map((peak, index) => (peak - (before[index] ?? 0)).toFixed(0)).join(' and ');
    },
  };
}

async function fill(mongoUrl: string, companyId: string): Promise<void> {
  const client = await new MongoClient(mongoUrl).connect();
  try {
    const db = client.db('parley_directory');
    for (let from = 0; from < CONTACTS; from += 5000) {
      const some = numbered(from, 5000).map((index) => contact(companyId, index));
      await insertEntities(db, 'contacts', some);
    }
    const colleagues = numbered(0, EMPLOYEES - 1).map((index) => employee(companyId, index));
    await insertEntities(db, 'employees', colleagues);
  } finally {
    await client.close();
  }
}

/** Reads a list to its end without keeping it. */
async function list(company: Company, address: string): Promise<number> {
  const response = await fetch(address, { headers: { 'X-Api-Key': company.apiKey } });
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += (chunk as Uint8Array).length;
  return bytes;
}

async function repeatedly(work: () => Promise<unknown>, go: () => boolean): Promise<void> {
  do {
    await work();
    await sleep(PAUSE_MS);
  } while (go());
}

async function timesMs(work: () => Promise<unknown>, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let request = 0; request < count; request += 1) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return times;
}

const numbered = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

function contact(companyId: string, index: number) {
  const phone = `+4530${String(index).padStart(6, '0')}`;
  const [createdAt, createdOrder] = [new Date(), index];
  const about = {
    name: `Contact ${index}`,
    email: `c${index}@example.com`,
    companyName: 'Example',
    note: 'A note of an ordinary length.',
  };
  const times = { createdAt, updatedAt: createdAt, createdOrder };
  return { id: `con_${index}`, companyId, phone, phoneFormatted: phone, ...about, ...times };
}

function employee(companyId: string, index: number) {
  const [createdAt, email] = [new Date(), `bench${index}@example.com`];
  return {
    id: `emp_${index}`,
    companyId,
    name: `Employee ${index}`,
    email,
    emailKey: email,
    phone: null,
    invitationPending: true,
    leavingUntil: null,
    createdAt,
    updatedAt: createdAt,
  };
}
