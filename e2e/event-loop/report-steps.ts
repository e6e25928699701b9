/**
 * Loaded by the process of the services before its own program (`--import`): whoever connects to the socket gets the longest step of its
 * event loop since the last one, in milliseconds.
 */
import { createServer } from 'node:net';
import { isMainThread } from 'node:worker_threads';
import { measureSteps } from '@parley/testkit/event-loop-steps';

// Speech has threads and child processes, where calculations belong.
if (isMainThread && process.argv[1]?.endsWith('services-main.ts')) {
  const steps = measureSteps();
  createServer((socket) => socket.on('error', () => undefined).end(String(steps.takeLongestMs())))
    .listen(new URL(import.meta.url).searchParams.get('socket'))
    .unref();
}
