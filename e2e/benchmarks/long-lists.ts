// 100,000 contacts and 1,000 employees as one list each: what the processes on the way hold, and what others wait meanwhile.
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startMongo } from '@parley/embedded';
import { startStack } from '@parley/local';
import { MongoClient } from 'mongodb';
import { type Company, foundCompany } from '../support/api.ts';

const CONTACTS = 100_000;
const EMPLOYEES = 1000;
const READS = 300;
const GROWTH_MB_MAX = 30;
/** A list after the other, as a busy client asks for them; without it a short one would only measure a full processor. */
const PAUSE_MS = 100;

export async function benchmarkLongLists(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-bench-'));
  const mongo = await startMongo({ dataDir: path.join(folder, 'mongo'), socketDir: folder, log: () => {} });
  const stack = await startStack({ dataDir: path.join(folder, 's'), processes: 'separate', mongoUrl: mongo.url });
  const client = new MongoClient(mongo.url);
  try {
    const company = await foundCompany({
      base_url: stack.baseUrl,
      operator_url: stack.operatorUrl,
      operator_token: stack.operatorToken,
      sandbox_url: stack.sandboxUrl,
    });
    const db = client.db('parley_directory');
    for (let from = 0; from < CONTACTS; from += 5000)
      await db
        .collection('contacts')
        .insertMany(numbered(from, 5000).map((index) => contact(company.id, index)) as never);
    await db
      .collection('employees')
      .insertMany(numbered(0, EMPLOYEES - 1).map((index) => employee(company.id, index)) as never);
    const pids = stack
      .processes()
      .flatMap(({ name, pid }) =>
        pid !== undefined && ['gateway', 'directory'].includes(name) ? [{ name, pid }] : [],
      );
    const { body: one } = await company.call('POST', '/contacts', { phone: '+4520304050' });
    for (const name of ['contacts', 'employees', 'contacts']) await list(company, `${stack.baseUrl}/api/v1/${name}`); // warm up
    for (const [what, address] of [
      [`${CONTACTS} contacts`, `${stack.baseUrl}/api/v1/contacts`],
      [`${EMPLOYEES} employees`, `${stack.baseUrl}/api/v1/employees`],
    ] as const) {
      const alone = await reads(company, one.id, READS);
      const before = pids.map(({ pid }) => residentMb(pid));
      const peaks = [...before];
      const watch = setInterval(
        () => pids.forEach(({ pid }, index) => (peaks[index] = Math.max(peaks[index] ?? 0, residentMb(pid)))),
        10,
      );
      let listing = true;
      const bytes = repeatedly(
        () => list(company, address),
        () => listing,
      );
      const beside = await reads(company, one.id, READS);
      listing = false;
      const size = await bytes;
      clearInterval(watch);
      const growth = pids.map(
        ({ name }, index) => `${name} +${((peaks[index] ?? 0) - (before[index] ?? 0)).toFixed(0)} MB`,
      );
      console.log(
        `${what.padEnd(16)} ${(size / 1e6).toFixed(1)} MB of JSON; growth ${growth.join(', ')} (at most ${GROWTH_MB_MAX} wanted)`,
      );
      console.log(
        `${''.padEnd(16)} another read: median ${alone.toFixed(1)} ms alone, ${beside.toFixed(1)} ms beside it, ratio ${(beside / alone).toFixed(2)}`,
      );
    }
  } finally {
    await client.close();
    await stack.stop();
    await mongo.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads a list to its end without keeping it. */
async function list(company: Company, address: string): Promise<number> {
  const response = await fetch(address, { headers: { 'X-Api-Key': company.apiKey } });
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += (chunk as Uint8Array).length;
  return bytes;
}

async function repeatedly(work: () => Promise<number>, go: () => boolean): Promise<number> {
  let last = 0;
  do {
    last = await work();
    await sleep(PAUSE_MS);
  } while (go());
  return last;
}

/** Milliseconds that the middle one of `count` reads takes, one after the other. */
async function reads(company: Company, id: string, count: number): Promise<number> {
  const times: number[] = [];
  for (let read = 0; read < count; read += 1) {
    const started = performance.now();
    await company.call('GET', `/contacts/${id}`);
    times.push(performance.now() - started);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(count / 2)] ?? 0;
}

function residentMb(pid: number): number {
  const [, kb = '0'] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kb) / 1024;
}

const numbered = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

/** As the service stores them, so that a hundred thousand take seconds and not minutes. */
const bookkeeping = { _version: 1, _eventCounts: {}, _outbox: [], _relay: null, _stamps: ['bench'], _deleted: false };

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
  return { _id: `con_${index}`, companyId, phone, phoneFormatted: phone, ...about, ...times, ...bookkeeping };
}

function employee(companyId: string, index: number) {
  const [createdAt, email] = [new Date(), `bench${index}@example.com`];
  return {
    _id: `emp_${index}`,
    companyId,
    name: `Employee ${index}`,
    email,
    emailKey: email,
    phone: null,
    invitationPending: true,
    doNotDisturb: null,
    presence: { status: 'logged_out', statusInDoNotDisturb: 'do_not_disturb', version: 0 },
    leavingUntil: null,
    due: null,
    dueLease: null,
    createdAt,
    updatedAt: createdAt,
    ...bookkeeping,
  };
}
