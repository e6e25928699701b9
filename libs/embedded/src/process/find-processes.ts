import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export type CommandLineTest = (argv: readonly string[]) => boolean;

/** Other processes of this machine with such a command line. */
export function findProcesses(matches: CommandLineTest): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => pid !== process.pid && matches(commandLine(pid)));
}

/** Waits until none of them is left; false when `timeoutMs` was not enough. */
export async function waitForExit(matches: CommandLineTest, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (findProcesses(matches).length > 0) {
    if (performance.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

/** Empty for a process that has just ended, and for a zombie. */
function commandLine(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
