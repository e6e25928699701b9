import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from '@jest/globals';
import { type CliRun, type Ended, runCli, startCli } from '../../clients/cli/test/run-cli.ts';
import { sharedStack } from '../support/api.ts';

/** A user's machine with the command line: a folder of settings, and variables. */
export interface CommandLine {
  readonly configFolder: string;
  /** With other variables; undefined takes one out. */
  with(environment: Readonly<Record<string, string | undefined>>): CommandLine;
  run(...args: string[]): Promise<Ended>;
  /** The result of a command that succeeds, as JSON. */
  json(...args: string[]): Promise<any>;
  start(...args: string[]): CliRun;
}

const machines: { folder: string; runs: CliRun[] }[] = [];

/** A machine for the tests of one file; what still runs on it at their end is killed. */
export async function openCommandLine(
  environment: Readonly<Record<string, string | undefined>> = {},
): Promise<CommandLine> {
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-cli-'));
  const machine = { folder, runs: [] as CliRun[] };
  machines.push(machine);
  return commandLine(machine, { HOME: folder, XDG_CONFIG_HOME: folder, ...environment });
}

/** To be called by every test file that opens one. */
export function removeCommandLines(): void {
  afterAll(async () => {
    for (const { folder, runs } of machines.splice(0)) {
      for (const { process: child } of runs) child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    }
  });
}

function commandLine(
  machine: { folder: string; runs: CliRun[] },
  environment: Readonly<Record<string, string | undefined>>,
): CommandLine {
  const one: CommandLine = {
    configFolder: path.join(machine.folder, 'parley'),
    with: (changes) => commandLine(machine, { ...environment, ...changes }),
    run: (...args) => runCli(args, environment),
    async json(...args) {
      const { code, out, err } = await runCli([...args, '--json'], environment);
      if (code !== 0) throw new Error(`parley ${args.join(' ')} ended with ${code}: ${err}`);
      return JSON.parse(out);
    },
    start(...args) {
      const run = startCli(args, environment);
      machine.runs.push(run);
      return run;
    },
  };
  return one;
}

/** As the owner of a company of the shared stack, by an API key. */
export function withKey(machine: CommandLine, apiKey: string): CommandLine {
  return machine.with({ PARLEY_API_KEY: apiKey, PARLEY_BASE_URL: sharedStack().base_url });
}
