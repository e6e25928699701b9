import { Worker as Thread } from 'node:worker_threads';
import { trackPendingResults } from './pending-results.ts';
import type { ResultMessage, Worker } from './worker.ts';

/** One of our programs in a thread: for calculations that would block other requests for too long. */
export function launchThread<Job, Result>(program: string): Worker<Job, Result> {
  const thread = new Thread(program, { execArgv: ['--disable-warning=ExperimentalWarning'], env: {} });
  const pendingResults = trackPendingResults<Result>();
  thread.on('message', (message: ResultMessage<Result>) => pendingResults.take(message));
  const ended = new Promise<string>((resolve) => {
    const end = (reason: string) => {
      pendingResults.lose(reason);
      resolve(reason);
    };
    thread.once('error', (error) => end(error.message));
    thread.once('exit', (code) => end(`exit code ${code}`));
  });
  return {
    ended,
    end: () => void thread.terminate(),
    run(job) {
      const { id, result } = pendingResults.next();
      thread.postMessage({ id, job });
      return result;
    },
  };
}
