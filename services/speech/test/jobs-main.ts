import { serveJobs } from '../src/workers/serve-jobs.ts';

/** A worker for tests: echoes its job, fails, or exits, as the job requests. */
serveJobs<{ do: 'echo' | 'fail' | 'die' | 'hang'; value?: Int16Array }, Int16Array | undefined>(async (job) => {
  if (job.do === 'fail') throw new Error('as requested');
  if (job.do === 'die') process.abort();
  if (job.do === 'hang') for (;;);
  return job.value;
});
