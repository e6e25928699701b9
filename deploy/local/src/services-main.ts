/**
 * Runs services together in one process, with the settings it finds as JSON in PARLEY_SERVICES: name to environment.
 */
import { reportCrash, type RunningService, startService, stopOnCrash } from '@parley/service';
import { services } from './services.ts';

/** The launcher kills it after six seconds. */
const STOP_MS_MAX = 5_500;

const environments = JSON.parse(process.env.PARLEY_SERVICES ?? '{}') as Record<string, Record<string, string>>;
const running: RunningService[] = [];
let stopping = false;
let exitCode = 0;

for (const event of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.on(event, () => stop(0));
stopOnCrash((event, error) => reportCrash(running, event, error), stop);
try {
  for (const { name, load } of services) {
    const environment = environments[name];
    if (!environment || stopping) continue;
    const { service } = await load();
    running.push(await startService(service, environment));
  }
  if (process.connected && !stopping) process.send?.({ ready: true });
} catch (error) {
  console.error(error);
  process.send?.({ failed: (error as Error).message }, undefined, undefined, () => process.exit(1));
}

function stop(code: number): void {
  exitCode = Math.max(exitCode, code);
  if (stopping) return;
  stopping = true;
  setTimeout(() => process.exit(1), STOP_MS_MAX).unref();
  stopAll().then(
    () => process.exit(exitCode),
    () => process.exit(1),
  );
}

async function stopAll(): Promise<void> {
  for (const service of running.toReversed()) await service.stop();
}
