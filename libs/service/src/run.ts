import { redactText } from '@parley/telemetry';
import { ConfigError, type Environment, loadConfig } from './config.ts';
import { createLifecycle } from './lifecycle.ts';
import type { Service } from './service.ts';

/** A service that runs. */
export interface Running {
  stop(): Promise<void>;
}

/** Starts a service in this process with settings from `env`. What it had started before a failure is stopped again. */
export async function startService<Config>(service: Service<Config>, env: Environment): Promise<Running> {
  const { started, stop } = begin(service, env);
  await started;
  return { stop };
}

/** A start that can be broken off. Throws for settings that are wrong. */
function begin<Config>(service: Service<Config>, env: Environment): { started: Promise<void> } & Running {
  const config = loadConfig(service.name, service.config, env);
  const lifecycle = createLifecycle();
  const started = service.start(config, lifecycle).then(
    () => lifecycle.started(),
    async (error: unknown) => {
      await lifecycle.stop();
      throw error;
    },
  );
  return { started, stop: () => lifecycle.stop() };
}

const STOP_LIMIT_MS = 9000;

/** The whole of a service's `main.ts`: settings from the environment, start, and a clean stop on a signal or the parent's death. */
export async function runMain<Config>(service: Service<Config>): Promise<void> {
  let running: Running | undefined;
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
    await running?.stop();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'disconnect']) process.on(signal, () => void stop());
  try {
    const run = begin(service, process.env);
    running = run;
    await run.started;
    if (process.connected) process.send?.({ ready: true });
  } catch (error) {
    if (stopping) return; // broken off: what it had begun fails now
    console.error(error instanceof ConfigError ? error.message : `${service.name} could not start: ${wordsOf(error)}`);
    process.exit(1);
  }
}

function wordsOf(error: unknown): string {
  return redactText(error instanceof Error ? (error.stack ?? error.message) : String(error));
}
