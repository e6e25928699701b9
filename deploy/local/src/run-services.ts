import { rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type SupervisedProcess, superviseProcess } from '@parley/embedded';
import type { Environment } from './environment.ts';
import { serviceOf } from './replicas.ts';
import { startAll, type Stoppable } from './start-all.ts';

/** The running services of a stack. */
export interface RunningServices extends Stoppable {
  processes(): { name: string; pid: number | undefined }[];
}

export interface RunOptions {
  readonly processes: 'one' | 'separate';
  /** Settings by service, or by replica of one where each has its own process; in the order of their start. */
  readonly environments: Readonly<Record<string, Environment>>;
  /** The environment of each process besides its own settings. */
  readonly inherited: Environment;
  readonly log: (line: string) => void;
  readonly output: (name: string, line: string) => void;
  readonly signal: AbortSignal;
}

/** The same as in deploy/images/Dockerfile, which has the reasons; a test compares them. */
export const NODE_ARGS = ['--min-semi-space-size=8', '--max-semi-space-size=8', '--no-allocation-site-pretenuring'];
/** Nearly ten heaps in one: as a share of itself it may not grow as far as each alone. */
const NODE_ARGS_TOGETHER = [...NODE_ARGS, '--heap-growing-percent=20'];
const TOGETHER = 'services';
/** Services with public interfaces stop first, while the others can still serve requests in flight. */
const EDGES = ['gateway', 'sandbox'];
/** Edges, the others, then the servers below: all within ten seconds. */
const STOP_MS_MAX = { together: 6_000, edge: 2_500, other: 3_500 };

/** Starts the services, all in one process or each in its own; one that exits is restarted with the same settings. */
export async function runServices(options: RunOptions): Promise<RunningServices> {
  const { environments, inherited, log, output } = options;
  const supervise = async (name: string, program: string, env: Environment, stopMs: number, signal: AbortSignal) => {
    const process = await superviseProcess({
      name,
      program,
      nodeArgs: name === TOGETHER ? NODE_ARGS_TOGETHER : NODE_ARGS,
      env: { ...inherited, ...env },
      restart: true,
      log,
      output: (line) => output(name, line),
      beforeStart: () => removeSockets(name === TOGETHER ? Object.values(environments) : [env]),
      stopMs,
      signal,
    });
    return { name, process, stop: () => process.stop() };
  };
  const starters =
    options.processes === 'one'
      ? [
          (signal: AbortSignal) => {
            const program = path.join(import.meta.dirname, 'services-main.ts');
            const env = { PARLEY_SERVICES: JSON.stringify(environments) };
            return supervise(TOGETHER, program, env, STOP_MS_MAX.together, signal);
          },
        ]
      : Object.entries(environments).map(([name, env]) => (signal: AbortSignal) => {
          const stopMs = EDGES.includes(serviceOf(name)) ? STOP_MS_MAX.edge : STOP_MS_MAX.other;
          return supervise(name, programOf(serviceOf(name)), env, stopMs, signal);
        });
  return runningServices(await startAll(starters, options.signal));
}

function runningServices(started: { name: string; process: SupervisedProcess; stop(): Promise<void> }[]) {
  const [edges, others] = [
    started.filter(({ name }) => EDGES.includes(serviceOf(name))),
    started.filter(({ name }) => !EDGES.includes(serviceOf(name))),
  ];
  return {
    processes: () => started.map(({ name, process }) => ({ name, pid: process.pid })),
    async stop() {
      for (const group of [edges, others]) await Promise.all(group.map((one) => one.stop()));
    },
  };
}

/** A killed service leaves the file of its unix socket behind, and could not listen on it again. */
function removeSockets(environments: readonly Environment[]): void {
  for (const { GRPC_LISTEN } of environments) {
    if (GRPC_LISTEN?.startsWith('unix:')) rmSync(GRPC_LISTEN.slice('unix:'.length), { force: true });
  }
}

/** Each service's package exports `src/index.ts`; the program that runs it alone lies beside it. */
export function programOf(name: string): string {
  return path.join(path.dirname(fileURLToPath(import.meta.resolve(`@parley/${name}`))), 'main.ts');
}
