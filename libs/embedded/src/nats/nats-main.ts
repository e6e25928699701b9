/**
 * Guards one nats-server: `nats-main.ts <binary> <config file>`. The server would not detect the end of the process that
 * started it; this process does, and takes it along. A server that lost its guard is ended by the next guard.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { failToStart, reportReady, untilStopRequested } from '../process/child-lifecycle.ts';
import { findProcesses, waitForExit } from '../process/find-processes.ts';
import { NO_NATS_SERVER } from './nats-binary.ts';

const STOP_MS_MAX = 2_500;
/** A guard whose owner was killed needs a moment to stop its server. */
const OTHER_GUARD_MS_MAX = 5_000;

const [binary = '', configFile = ''] = process.argv.slice(2);
const stopRequested = untilStopRequested();
try {
  if (!(await waitForExit(isGuard, OTHER_GUARD_MS_MAX))) {
    throw new Error(`another nats-server runs with ${configFile}`);
  }
  await endOrphans();
  guard(spawnServer());
} catch (error) {
  failToStart((error as Error).message);
}

function isGuard(argv: readonly string[]): boolean {
  return argv.includes(import.meta.filename) && argv.includes(configFile);
}

function isServer([command = '', ...args]: readonly string[]): boolean {
  return path.basename(command) === 'nats-server' && args[0] === '-c' && args[1] === configFile;
}

/** Servers with this configuration whose guard was killed. */
async function endOrphans(): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    for (const pid of findProcesses(isServer)) process.kill(pid, signal);
    if (await waitForExit(isServer, STOP_MS_MAX)) return;
  }
}

function spawnServer(): ChildProcess {
  // Go's collector works harder near this limit instead of growing; 75 MB were seen under full load.
  const env = { ...process.env, GOMEMLIMIT: '192MiB' };
  return spawn(binary, ['-c', configFile], { env, stdio: ['ignore', 'ignore', 'pipe'] });
}

function guard(server: ChildProcess): void {
  let fatal = '';
  createInterface({ input: server.stderr! }).on('line', (line) => {
    if (line.includes('Server is ready')) reportReady(server.pid);
    if (line.includes('[FTL]')) fatal = line.slice(line.indexOf('[FTL]') + 6);
    if (/\[(WRN|ERR|FTL)\]/.test(line) && !line.includes('Plaintext passwords')) console.error(line);
  });
  server.on('error', (error: NodeJS.ErrnoException) => {
    failToStart(error.code === 'ENOENT' ? NO_NATS_SERVER : error.message);
  });
  server.on('close', (code, signal) => {
    if (fatal) failToStart(fatal);
    else process.exit(signal ? 1 : (code ?? 1));
  });
  stopRequested
    .then(() => {
      server.kill('SIGTERM');
      setTimeout(() => server.kill('SIGKILL'), STOP_MS_MAX).unref();
    })
    .catch((error: unknown) => failToStart(String(error)));
}
