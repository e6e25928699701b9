/** Runs services together in one process, with the settings it finds as JSON in PARLEY_SERVICES: name to environment. */
import { type Running, startService } from '@parley/service';
import { services } from './services.ts';

/** The launcher insists after six seconds. */
const STOP_MS_MAX = 5_500;

const environments = JSON.parse(process.env.PARLEY_SERVICES ?? '{}') as Record<string, Record<string, string>>;
const running: Running[] = [];
let stopping = false;

for (const event of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.on(event, () => void stop());
try {
  for (const { name, load } of services) {
    const environment = environments[name];
    if (!environment || stopping) continue;
    const { service } = await load();
    running.push(await startService(service, environment));
  }
  if (process.connected) process.send?.({ ready: true });
} catch (error) {
  console.error(error);
  process.send?.({ failed: (error as Error).message }, undefined, undefined, () => process.exit(1));
}

async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  setTimeout(() => process.exit(1), STOP_MS_MAX).unref();
  for (const service of running.reverse()) await service.stop();
  process.exit(0);
}
