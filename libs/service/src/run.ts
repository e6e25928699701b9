import { ConfigError, type Environment, loadConfig } from './config.ts';
import { createLife } from './life.ts';
import type { Service } from './service.ts';

/** A service that runs. */
export interface Running {
  stop(): Promise<void>;
}

/** Starts a service in this process with settings from `env`. What it had started before a failure is stopped again. */
export async function startService<Config>(service: Service<Config>, env: Environment): Promise<Running> {
  const config = loadConfig(service.name, service.config, env);
  const life = createLife();
  try {
    await service.start(config, life);
  } catch (error) {
    await life.stop(undefined);
    throw error;
  }
  life.started();
  return { stop: () => life.stop(undefined) };
}

const STOP_LIMIT_MS = 9000;

/** The whole of a service's `main.ts`: settings from the environment, start, and a clean stop on a signal or the parent's death. */
export async function runMain<Config>(service: Service<Config>): Promise<void> {
  let running: Running | undefined;
  const stop = async () => {
    setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
    await running?.stop();
    process.exit(0);
  };
  process.once('SIGTERM', () => void stop());
  process.once('SIGINT', () => void stop());
  process.once('disconnect', () => void stop());
  try {
    running = await startService(service, process.env);
    process.send?.({ ready: true });
  } catch (error) {
    console.error(error instanceof ConfigError ? error.message : error);
    process.exit(1);
  }
}
