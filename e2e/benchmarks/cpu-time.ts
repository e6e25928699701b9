import { readFileSync } from 'node:fs';

/** The kernel counts in hundredths of a second on every Linux that Node.js runs on. */
const TICK_MS = 10;

/** CPU time that processes have used so far, in user and kernel together. */
export function cpuTimeMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + ticks(pid) * TICK_MS, 0);
}

function ticks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
