import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** The kernel counts in hundredths of a second on every Linux that Node.js runs on. */
const TICK_MS = 10;
const IDLE_SECS = 5;

/** CPU time that processes have used so far, in user and kernel together. */
export function cpuTimeMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + ticks(pid) * TICK_MS, 0);
}

/** Counts the CPU time of processes from now on; answers what each used, divided by a number of requests. */
export function countCpuTime(
  processes: Readonly<Record<string, number>>,
): (requests: number) => Readonly<Record<string, number>> {
  const read = () => Object.entries(processes).map(([name, pid]) => [name, cpuTimeMs([pid])] as const);
  const before = new Map(read());
  return (requests) =>
    Object.fromEntries(read().map(([name, ms]) => [name, (ms - (before.get(name) ?? 0)) / requests]));
}

/** CPU time that processes use while nothing happens, in milliseconds a second. */
export async function idleCpuTime(pids: readonly number[]): Promise<number> {
  const before = cpuTimeMs(pids);
  await sleep(IDLE_SECS * 1000);
  return (cpuTimeMs(pids) - before) / IDLE_SECS;
}

/** `directory 1.2, nats 0.3`: the most expensive first, without those that used next to nothing. */
export function describeCpuTime(msByProcess: Readonly<Record<string, number>>, digits = 2): string {
  return Object.entries(msByProcess)
    .filter(([, ms]) => ms >= 10 ** -digits)
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, ms]) => `${name} ${ms.toFixed(digits)}`)
    .join(', ');
}

function ticks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

/** Memory that a process has in RAM. */
export function residentMb(pid: number): number {
  const [, kb = '0'] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kb) / 1024;
}

/** Its part of the memory in RAM: what several processes share, such as the code of the same program, is counted once in all. */
export function memoryShareMb(pid: number): number {
  const [, kb = '0'] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
  return Number(kb) / 1024;
}

/** The value that this share of them does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

export interface Round {
  readonly cpuMsPerRequest: number;
  readonly requestsPerSecond: number;
  readonly p99Ms: number;
  /** The share of each process in `cpuMsPerRequest`. */
  readonly msByProcess?: Readonly<Record<string, number>>;
}

/** The round in the middle, by CPU time. */
export function middleOf(rounds: readonly Round[]): Round | undefined {
  return rounds.toSorted((a, b) => a.cpuMsPerRequest - b.cpuMsPerRequest)[Math.floor(rounds.length / 2)];
}

/** The results of all benchmarks of this run, for the table at its end. */
const table: Record<string, string>[] = [];

/** Prints what each subject cost; the first one is the baseline of the others. */
export function printRounds(
  benchmark: string,
  subjects: readonly { readonly name: string }[],
  rounds: readonly (Round | undefined)[],
): void {
  for (const [index, { name }] of subjects.entries()) {
    const round = rounds[index];
    if (!round) continue;
    const { cpuMsPerRequest, requestsPerSecond, p99Ms, msByProcess } = round;
    const shown = {
      benchmark,
      subject: name,
      'ms CPU/request': cpuMsPerRequest.toFixed(3),
      'requests/s': requestsPerSecond.toFixed(0),
      'p99 ms': p99Ms.toFixed(1),
      'times the baseline': (cpuMsPerRequest / (rounds[0]?.cpuMsPerRequest ?? cpuMsPerRequest)).toFixed(2),
    };
    table.push(shown);
    const { 'ms CPU/request': cpu, 'requests/s': rate, 'p99 ms': p99 } = shown;
    console.log(`${name.padEnd(20)} ${cpu} ms CPU/request, ${rate} requests/s, p99 ${p99} ms`);
    if (msByProcess) console.log(`  of which ${describeCpuTime(msByProcess)}`);
  }
}

/** Everything that was measured in this run, one line for each subject. */
export function printTable(): void {
  if (table.length > 0) console.table(table);
}

/** Measures the subjects turn by turn after a round to warm up; the middle round of each. */
export async function interleaved<Subject>(
  subjects: readonly Subject[],
  rounds: number,
  measure: (subject: Subject) => Promise<Round>,
): Promise<(Round | undefined)[]> {
  for (const subject of subjects) await measure(subject);
  const measured: Round[][] = subjects.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, subject] of subjects.entries()) measured[index]?.push(await measure(subject));
  }
  return measured.map(middleOf);
}
