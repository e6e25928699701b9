import { readFile, writeFile } from 'node:fs/promises';
import { serveJobs } from '../workers/serve-jobs.ts';
import type { QuantizeJob } from './quantize-whisper-file.ts';
import { quantizeWhisper } from './quantize-whisper.ts';

serveJobs<QuantizeJob, undefined>(async ({ from, to }) => {
  await writeFile(to, quantizeWhisper(await readFile(from)));
  return undefined;
});
