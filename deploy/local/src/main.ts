/**
 * `npm start`: runs the whole stack until Ctrl-C, SIGTERM or the end of the parent process. With names of services
 * (`npm start -- directory`) only those, and stubs for the others.
 */
import path from 'node:path';
import type { AloneOptions, AloneServices } from './alone/start-alone.ts';
import { aloneSummary } from './alone/summary.ts';
import { readSettings } from './settings.ts';
import { startStack } from './stack.ts';
import { summary } from './summary.ts';

const CHECKOUT = path.resolve(import.meta.dirname, '../../..');
/** Each component has its own shorter limit; this is the last resort. */
const STOP_MS_MAX = 9_500;

const stopping = new AbortController();
const stopRequested = new Promise<void>((resolve) => {
  // A terminal's Ctrl-C arrives twice: for the whole process group, and forwarded by the parent process.
  for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'] as const) {
    process.on(event, () => {
      if (stopping.signal.aborted) return;
      stopping.abort();
      say('stopping …');
      setTimeout(() => process.exit(1), STOP_MS_MAX).unref();
      resolve();
    });
  }
});

try {
  const settings = readSettings(process.env, CHECKOUT, process.argv.slice(2));
  const options = { ...settings, environment: process.env, progress: say, signal: stopping.signal };
  const stack = settings.only.length === 0 ? await startStack(options) : await startSome(options);
  console.log('services' in stack ? aloneSummary(stack) : summary(stack));
  await stopRequested;
  await stack.stop();
} catch (error) {
  if (!stopping.signal.aborted) {
    say((error as Error).message);
    process.exit(1);
  }
}
say('stopped');
process.exit(0);

/** The stubs of the other services need libraries that the whole stack does not. */
async function startSome(options: AloneOptions): Promise<AloneServices> {
  const { startAlone } = await import('./alone/start-alone.ts');
  return startAlone(options);
}

/** Progress is written to standard error, so that standard output contains only the summary. */
function say(line: string): void {
  console.error(`parley: ${line}`);
}
