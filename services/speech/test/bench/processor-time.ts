import { readFile } from 'node:fs/promises';
import { childProcesses } from '../child-processes.ts';

/** The kernel counts in hundredths of a second. */
const TICK_MS = 10;

/** What the engines with these programs have used of the processors so far. */
export async function processorMs(programs: readonly string[]): Promise<number> {
  let ticks = 0;
  for (const pid of (await Promise.all(programs.map(childProcesses))).flat()) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks * TICK_MS;
}
