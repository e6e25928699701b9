import { waitUntil } from '@parley/testkit/wait-until';
import type { CliRun } from '../../clients/cli/test/run-cli.ts';
import type { Company } from '../support/api.ts';
import { succeeded } from '../support/api.ts';
import type { Arrived, Hook } from '../webhooks/hooks.ts';
import type { CommandLine } from './command-line.ts';

const LIMIT_MS = 100_000;

/** Starts to listen; resolves once what happens from now on is forwarded. */
export async function startListening(machine: CommandLine, ...args: string[]): Promise<CliRun> {
  const run = machine.start('listen', ...args);
  await waitUntil(async () => /^Listening|"listening"/m.test(run.out()) || Promise.reject(new Error(run.err())), {
    what: 'a listener',
    timeoutMs: LIMIT_MS,
  });
  return run;
}

/** The names of contacts in what a receiver had. */
const namesOf = (arrived: readonly Arrived[]): string[] => arrived.map(({ body }) => body.data['contact'].name);

/** Waits until the receiver has had so many, and resolves to their names. */
export async function namesAt(hook: Hook, count: number): Promise<string[]> {
  await waitUntil(async () => (await hook.arrived()).length >= count, {
    what: `${count} requests`,
    timeoutMs: LIMIT_MS,
  });
  return namesOf(await hook.arrived());
}

let phones = 0;

export async function addContacts(company: Company, ...names: string[]): Promise<void> {
  for (const name of names)
    await succeeded(company.call('POST', '/contacts', { phone: `+45${22_000_000 + (phones += 1)}`, name }));
}

export async function endWith(run: CliRun, signal: NodeJS.Signals): Promise<number | null> {
  run.process.kill(signal);
  return (await run.ended).code;
}
