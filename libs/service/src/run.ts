import { redactText } from '@parley/telemetry';
import { ConfigError, type Environment, loadConfig } from './config.ts';
import { stopOnCrash } from './crash-handler.ts';
import { asService, failingService } from './failing-service.ts';
import { createLifecycle } from './lifecycle.ts';
import type { Service } from './service.ts';

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

/** The whole of a service's `main.ts`: settings from the environment, start, and a clean stop on a signal, a crash or the parent's death. */
export async function runMain<Config>(service: Service<Config>): Promise<void> {
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
