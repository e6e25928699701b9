// GET /contacts?query= for names of different frequency, in a company with a thousand contacts and in one with a hundred thousand.
import { insertEntities } from '@parley/testkit/stored-documents';
import { type Db, MongoClient } from 'mongodb';
import { type Company, createTestCompany } from '../support/api.ts';
import { type BenchStack, withStackAndMongo } from './bench-stack.ts';
import { cpuTimeMs, percentile } from './measuring.ts';

const SIZES = [1000, Number(process.env['PARLEY_BENCH_CONTACTS'] ?? 100_000)];
const BATCH = 1000;
const REPEATS = 30;
const P50_MS_MAX = 20;
const FIRST_NAMES =
  'Anders Mette Lars Anne Peter Hanne Jens Kirsten Henrik Lene Thomas Susanne Rasmus Maria Christian Pia Martin Inge Jan Karen';
const FAMILY_NAMES = 'Jensen Nielsen Hansen Pedersen Andersen Christensen Larsen Petersen Madsen Olsen Thomsen Poulsen';
/** A word of the company name of everybody, a first name, its beginning, both names, digits of a phone number, and nobody's name. */
const QUERIES = ['nordlys', 'anders', 'and', 'anders jensen', '3000', 'zelda'];

export function benchmarkContactSearch(): Promise<void> {
  return withStackAndMongo({ processes: 'separate' }, async (stack, mongoUrl) => {
    const client = await new MongoClient(mongoUrl).connect();
    try {
      for (const size of SIZES) await measure(stack, client.db('parley_directory'), size);
    } finally {
      await client.close();
    }
  });
}

async function measure(stack: BenchStack, db: Db, size: number): Promise<void> {
  const company = await createTestCompany(stack.local);
  for (let from = 0; from < size; from += BATCH) await insertEntities(db, 'contacts', contacts(company, from));
  console.log(`  ${size} contacts; at most ${P50_MS_MAX} ms wanted for a first name`);
  for (const query of QUERIES) {
    const search = () => company.call('GET', `/contacts?limit=50&query=${encodeURIComponent(query)}`);
    const { body } = await search();
    const before = cpuTimeMs(stack.pidsOf());
    const times: number[] = [];
    for (let n = 0; n < REPEATS; n++) {
      const started = performance.now();
      await search();
      times.push(performance.now() - started);
    }
    const cpu = (cpuTimeMs(stack.pidsOf()) - before) / REPEATS;
    console.log(
      `  ${query.padEnd(16)} ${String(body.length).padStart(3)} found, p50 ${percentile(times, 0.5).toFixed(1)} ms, ` +
        `p95 ${percentile(times, 0.95).toFixed(1)} ms, ${cpu.toFixed(1)} ms CPU of the services without their databases`,
    );
  }
}

function contacts({ id: companyId }: Company, from: number) {
  return Array.from({ length: BATCH }, (_, index) => {
    const n = from + index;
    const first = FIRST_NAMES.split(' ')[n % FIRST_NAMES.split(' ').length]!;
    const family = FAMILY_NAMES.split(' ')[(n * 7) % FAMILY_NAMES.split(' ').length]!;
    const phone = `+45${30_000_000 + n}`;
    const email = `${first}.${family}${n}@example.com`.toLowerCase();
    const words = [first, family, 'nordlys', `${first}.${family}${n}`, 'example', phone.slice(1)];
    const times = { createdAt: new Date(), updatedAt: new Date(), createdOrder: n, revision: 1 };
    return {
      id: `con_${companyId}_${n}`,
      companyId,
      phone,
      phoneFormatted: phone,
      name: `${first} ${family}`,
      email,
      companyName: 'Nordlys',
      note: null,
      ...times,
      searchTerms: [...new Set(words.flatMap(suffixes))],
    };
  });
}

/** As the directory derives terms: any part of a word is the beginning of one. */
function suffixes(word: string): string[] {
  return Array.from(word.toLowerCase(), (_, index) => word.toLowerCase().slice(index));
}
