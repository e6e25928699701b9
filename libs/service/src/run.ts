import { redactText } from '@parley/telemetry';
import { ConfigError, type Environment, loadConfig } from './config.ts';
import { BUILD_INDEXES, runIndexBuilds } from './index-builds.ts';
import { createLifecycle, type Lifecycle } from './lifecycle.ts';
import { AsyncLocalStorage } from 'node:async_hooks';
import { pathToFileURL } from 'node:url';
import type { z } from 'zod';

/** A part of Parley that can be started: alone by its `main.ts`, or with the others in one process by the local stack. */
export interface Service<Config = unknown> {
  readonly name: string;
  /** Every setting, from the environment's strings to what the code needs. */
  readonly config: z.ZodType<Config>;
  /** Starts everything in reading order; registers each cleanup with `lifecycle.defer`, which runs them in reverse order. */
  start(config: Config, lifecycle: Lifecycle): Promise<void>;
}

/** Ties a configuration schema to the start function that takes it. */
export function defineService<Config>(service: Service<Config>): Service<Config> {
  return service;
}

/** Something that runs until it is stopped. */
export interface Running {
  stop(): Promise<void>;
}

/** A service that runs in this process. */
export interface RunningService extends Running {
  readonly name: string;
  /** Logs and counts an unhandled error of this process. */
  crashed(event: string, error: unknown): void;
}

/** Starts a service in this process with settings from `env`. What it had started before a failure is stopped again. */
export async function startService<Config>(service: Service<Config>, env: Environment): Promise<RunningService> {
  const { started, ...running } = begin(service, env);
  await started;
  return running;
}

/** Reports an unhandled error to the service that it came from, of those in this process. */
export function reportCrash(running: readonly RunningService[], event: string, error: unknown): void {
  const failing = failingService(error);
  const found = running.find(({ name }) => name === failing);
  if (found) found.crashed(event, error);
  else printError(`${failing ?? 'one of the services'} crashed`, error);
}

/** A start that can be aborted. Throws for settings that are wrong. */
function begin<Config>(
  service: Service<Config>,
  env: Environment,
  ownsProcess = false,
): { started: Promise<void> } & RunningService {
  const config = loadConfig(service.name, service.config, env);
  const lifecycle = createLifecycle({ ownsProcess });
  const started = asService(service.name, () => service.start(config, lifecycle)).then(
    () => lifecycle.started(),
    async (error: unknown) => {
      await lifecycle.stop();
      throw error;
    },
  );
  return {
    name: service.name,
    started,
    stop: () => lifecycle.stop(),
    crashed: (event, error) => {
      if (!lifecycle.crashed(event, error)) printError(`${service.name} crashed`, error);
    },
  };
}

/** After DRAIN_SECS, for work in progress. */
const STOP_LIMIT_MS = 9000;

/**
 * The whole of a service's `main.ts`: settings from the environment, start, and a clean stop on a signal, a crash or the parent's death.
 * With the argument `build-indexes` it builds its indexes instead, and ends.
 */
export async function runMain<Config>(service: Service<Config>): Promise<void> {
  const [program = '', command] = process.argv.slice(1);
  if (command === BUILD_INDEXES) {
    const catalogFile = new URL('../indexes.json', pathToFileURL(program));
    return runIndexBuilds(service.name, catalogFile, process.env).catch((error: unknown) => {
      printError(`${service.name} could not build its indexes`, error);
      process.exitCode = 1;
    });
  }
  let running: RunningService | undefined;
  let stopping = false;
  let exitCode = 0;
  const stop = (code: number) => {
    exitCode = Math.max(exitCode, code);
    if (stopping) return;
    stopping = true;
    const drainMs = Number(process.env.DRAIN_SECS ?? 0) * 1000;
    setTimeout(() => process.exit(1), STOP_LIMIT_MS + drainMs).unref();
    const stopped = running?.stop() ?? Promise.resolve();
    stopped.then(
      () => process.exit(exitCode),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'disconnect']) process.on(signal, () => stop(0));
  // The parent died before this process could listen for it.
  if (process.send && !process.connected) return stop(0);
  stopOnCrash((event, error) => (running ? running.crashed(event, error) : printError(service.name, error)), stop);
  try {
    const run = begin(service, process.env, true);
    running = run;
    await run.started;
    if (process.connected && !stopping) process.send?.({ ready: true });
  } catch (error) {
    if (stopping) return; // aborted: its pending steps fail now
    if (error instanceof ConfigError) console.error(error.message);
    else printError(`${service.name} could not start`, error);
    process.exit(1);
  }
}

function printError(what: string, error: unknown): void {
  console.error(`${what}: ${redactText(error instanceof Error ? (error.stack ?? error.message) : String(error))}`);
}

/** Events of unhandled errors. */
const EVENTS = ['unhandledRejection', 'uncaughtException'] as const;

/**
 * Stops the process after an unhandled error. Its state may be inconsistent, so it does not continue;
 * it finishes work in progress, and the supervisor restarts it.
 */
export function stopOnCrash(report: (event: string, error: unknown) => void, stop: (exitCode: number) => void): void {
  for (const event of EVENTS) {
    process.on(event, (error: unknown) => {
      try {
        report(event, error);
      } finally {
        stop(1);
      }
    });
  }
}

/** The name of the running service, because a process may have several. */
const current = new AsyncLocalStorage<string>();

/** Runs something as a part of a service: whatever follows from it belongs to that service too. */
export function asService<Result>(name: string, work: () => Result): Result {
  return current.run(name, work);
}

/** A file of a service in a stack trace. */
const SERVICE_FILE = /\/services\/([a-z-]+)\/src\//;

/**
 * The service that an unhandled error came from, called while it is reported: by what was running, else by the first file
 * of a service in its stack trace. An accepted socket has no memory of who listens, so its own errors may belong to nobody.
 */
export function failingService(error: unknown): string | undefined {
  const stack = error instanceof Error ? error.stack : undefined;
  return current.getStore() ?? SERVICE_FILE.exec(stack ?? '')?.[1];
}
