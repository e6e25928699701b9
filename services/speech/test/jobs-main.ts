import { serveJobs } from '../src/workers/serve-jobs.ts';

/** A worker for tests: answers what it was sent, fails, or dies, as it is told. */
serveJobs<{ do: 'echo' | 'fail' | 'die' | 'hang'; value?: Int16Array }, Int16Array | undefined>(async (job) => {
  if (job.do === 'fail') throw new Error('as told');
  if (job.do === 'die') process.abort();
  if (job.do === 'hang') for (;;);
  return job.value;
});
