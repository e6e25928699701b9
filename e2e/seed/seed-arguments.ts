import { parseArgs } from 'node:util';
import type { SeedOptions } from './seed-company.ts';

/** The contacts that a company may have at most. */
const CONTACTS_MAX = 100_000;
const COUNT = /^\d{1,8}$/;

/** Reads `--calls N [--texts M] [--contacts K] [--company NAME] [--months 18] [--seed S]`; the error of a wrong one is one clear line. */
export function readSeedArguments(args: readonly string[], now: Date): SeedOptions {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { calls: text, texts: text, contacts: text, company: text, months: text, seed: text },
  });
  if (values.calls === undefined)
    throw new Error(
      'usage: npm run seed -- --calls N [--texts N] [--contacts N] [--company NAME] [--months N] [--seed TEXT]',
    );
  const calls = count('calls', values.calls, 1);
  return {
    calls,
    texts: count('texts', values.texts ?? `${Math.ceil(calls / 5)}`, 0),
    contacts: count(
      'contacts',
      values.contacts ?? `${Math.min(Math.ceil(calls / 20), CONTACTS_MAX / 2)}`,
      1,
      CONTACTS_MAX,
    ),
    months: count('months', values.months ?? '18', 1),
    name: values.company ?? `Company of ${calls} calls`,
    seed: values.seed ?? '1',
    numbers: 5,
    employees: 10,
    until: now,
  };
}

function count(name: string, text: string, min: number, max = Infinity): number {
  const value = Number(text);
  if (!COUNT.test(text) || value < min || value > max)
    throw new Error(`--${name} must be a whole number from ${min}${max < Infinity ? ` to ${max}` : ''}, not '${text}'`);
  return value;
}
