#!/usr/bin/env node
import { constants, hostname } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { isConformance, run } from './run.ts';
import { Interrupted } from './system.ts';

/** For what must not be cut off, such as tokens that are being stored, and what a trigger removes. */
const END_WITHIN_MS = 5000;

const interruption = new AbortController();

function interrupt(exitCode: number): void {
  interruption.abort(new Interrupted(exitCode));
  setTimeout(() => process.exit(exitCode), END_WITHIN_MS).unref();
}

const args = process.argv.slice(2);
if (!isConformance(args))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => interrupt(128 + constants.signals[signal]));

/** Whether somebody reads it still, such as `head`, which ends after some lines. */
let isRead = true;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  isRead = false;
  interrupt(error.code === 'EPIPE' ? 0 : 1);
});
process.stderr.on('error', () => undefined);

const code = await run(args, {
  // oxlint-disable-next-line node/no-process-env -- read here only
  env: process.env,
  write: (text) => void (isRead && process.stdout.write(text)),
  writeError: (text) => void process.stderr.write(text),
  readStandardInput: () => buffer(process.stdin),
  signal: interruption.signal,
  hostname: hostname(),
  platform: process.platform,
});
// Written out before the end, which does not wait for connections that are kept open.
await Promise.all(
  [process.stdout, process.stderr].map((stream) => new Promise((resolve) => stream.write('', resolve))),
);
process.exit(code);
