// `npm run seed -- --calls 1000000`: a company with a long history in the running local stack (e2e/README.md).
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { LocalJson } from '../support/local-stack.ts';
import { readSeedArguments } from './seed-arguments.ts';
import { seedCompany } from './seed-company.ts';

const CHECKOUT = path.resolve(import.meta.dirname, '../..');

try {
  const options = readSeedArguments(process.argv.slice(2), new Date());
  const dataDir = path.resolve(CHECKOUT, process.env['PARLEY_DATA_DIR'] || '.parley');
  const local = await runningStack(dataDir);
  const progress = (line: string) => console.error(`parley: ${line}`);
  const target = { local, dataDir, mongoUrl: process.env['MONGODB_URL'] || undefined, progress };
  const { company, secs } = await seedCompany(target, options);
  const { calls, texts, contacts } = options;
  console.log(
    JSON.stringify({ company_id: company.id, api_key: company.apiKey, calls, texts, contacts, secs }, null, 2),
  );
  process.exit(0);
} catch (error) {
  console.error(`parley: ${(error as Error).message}`);
  process.exit(1);
}

async function runningStack(dataDir: string): Promise<LocalJson> {
  try {
    return JSON.parse(await readFile(path.join(dataDir, 'local.json'), 'utf8')) as LocalJson;
  } catch (cause) {
    throw new Error(`no stack runs in ${dataDir}; start one with \`npm start\``, { cause });
  }
}
