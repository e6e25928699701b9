import { readFile } from 'node:fs/promises';
import { type Arguments, HELP, readArguments, WrongUsage } from './arguments.ts';
import type { Check } from './checks/check.ts';
import { checks as allChecks } from './checks/index.ts';
import { run } from './run.ts';
import type { Output } from './output.ts';
import { reporters } from './reports/index.ts';

const toProcess: Output = {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
};

/**
 * Runs the kit with command-line arguments and gives the exit status: 0 if every `must` holds and every mutation was found, 1 if not or
 * interrupted, 2 for wrong usage.
 */
export async function main(args: readonly string[], output: Output = toProcess): Promise<number> {
  try {
    const chosen = await readArguments(args, (path) => readFile(path, 'utf8'));
    if (chosen.command === 'help') {
      output.out(HELP);
      return 0;
    }
    const checks = select(allChecks, chosen);
    if (chosen.command === 'run') return await untilInterrupted((signal) => run(chosen, checks, output, signal));
    output.out(reporters[chosen.format].list(checks));
    return 0;
  } catch (error) {
    if (!(error instanceof WrongUsage)) throw error;
    output.error(`${error.message}\nSee parley-conformance --help.\n`);
    return 2;
  }
}

function select(checks: readonly Check[], { areas, checks: ids }: Arguments): readonly Check[] {
  const unknown = ids.find((id) => checks.every((check) => check.id !== id));
  if (unknown !== undefined) throw new WrongUsage(`there is no check ${unknown}`);
  return checks.filter(
    ({ id, area }) => (areas.length === 0 || areas.includes(area)) && (ids.length === 0 || ids.includes(id)),
  );
}

/** Ctrl-C ends the checks that run; companies are deleted before the program ends. A second one ends it at once. */
async function untilInterrupted(work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, interrupt);
  try {
    return await work(interruption.signal);
  } finally {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, interrupt);
  }
}
