import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startMongo } from '@parley/embedded';
import { startStack } from '@parley/local';
import type { LocalJson } from '../support/local-stack.ts';

/** A stack for one benchmark. */
export interface BenchStack {
  readonly local: LocalJson;
  /** Empty at first, and removed at the end. */
  readonly folder: string;
  /** The processes of these names; without names, all. */
  pidsOf(...names: string[]): number[];
  /** All processes by name. */
  processes(): Record<string, number>;
}

export interface BenchStackOptions {
  readonly processes: 'one' | 'separate';
  /** An engine for all databases instead of one for each service, for a benchmark that fills them itself. */
  readonly mongoUrl?: string;
  /** Settings of all services, beside those of this process. */
  readonly environment?: Record<string, string>;
  /** Settings of single services, by their names. */
  readonly settings?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Runs a benchmark on a separate stack. */
export async function withStack(options: BenchStackOptions, work: (stack: BenchStack) => Promise<void>): Promise<void> {
  await using end = new AsyncDisposableStack();
  const folder = await scratchFolder(end);
  const environment = { ...process.env, ...options.environment };
  const stack = await startStack({ dataDir: path.join(folder, 'stack'), ...options, environment });
  end.defer(() => stack.stop());
  await work({
    local: {
      base_url: stack.baseUrl,
      operator_url: stack.operatorUrl,
      operator_token: stack.operatorToken,
      sandbox_url: stack.sandboxUrl,
    },
    folder,
    processes: () => Object.fromEntries(stack.processes().flatMap(({ name, pid }) => (pid ? [[name, pid]] : []))),
    pidsOf: (...names) =>
      stack
        .processes()
        .flatMap(({ name, pid }) => (pid !== undefined && (names.length === 0 || names.includes(name)) ? [pid] : [])),
  });
}

/** The same, with the address of the engine. */
export async function withStackAndMongo(
  options: Omit<BenchStackOptions, 'mongoUrl'>,
  work: (stack: BenchStack, mongoUrl: string) => Promise<void>,
): Promise<void> {
  await using end = new AsyncDisposableStack();
  const folder = await scratchFolder(end);
  const mongo = await startMongo({ dataDir: path.join(folder, 'mongo'), socketDir: folder, log: () => {} });
  end.defer(() => mongo.stop());
  await withStack({ ...options, mongoUrl: mongo.url }, (stack) => work(stack, mongo.url));
}

async function scratchFolder(end: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-bench-'));
  end.defer(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
