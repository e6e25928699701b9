import { fork } from 'node:child_process';
import { trackPendingResults } from './pending-results.ts';
import type { ResultMessage, Worker } from './worker.ts';

const COMPLAINT_LENGTH_MAX = 1000;

/**
 * One of our programs in a child process, connected by its IPC channel. Native engines run in such processes: a
 * crash does not affect the service, and their memory is released with them.
 */
export function launchChild<Job, Result>(program: string, args: readonly string[]): Worker<Job, Result> {
  const child = fork(program, args, {
    serialization: 'advanced',
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: {},
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const pendingResults = trackPendingResults<Result>();
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => (complaint = (complaint + chunk).slice(-COMPLAINT_LENGTH_MAX)));
  child.on('message', (message) => pendingResults.take(message as ResultMessage<Result>));
  const ended = new Promise<string>((resolve) => {
    const end = (reason: string) => {
      pendingResults.lose(reason);
      resolve(reason);
    };
    child.once('error', (error) => end(error.message));
    child.once('exit', (code, signal) => end(signal ?? `exit code ${code}: ${complaint.trim()}`));
  });
  return {
    ended,
    end: () => void child.kill('SIGKILL'),
    run(job) {
      const { id, result } = pendingResults.next();
      child.send({ id, job }, (error) => error && pendingResults.lose(error.message));
      return result;
    },
  };
}
