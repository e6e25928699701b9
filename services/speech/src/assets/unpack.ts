import path from 'node:path';
import { launchThread } from '../workers/worker.ts';

export interface UnpackJob {
  readonly tarball: string;
  readonly folder: string;
  /** Paths in the package; everything else stays packed. */
  readonly files: readonly string[];
}

const PROGRAM = path.join(import.meta.dirname, 'unpack-worker.ts');

/** Takes files out of a tarball, in a thread: inflating a hundred megabytes would hold the event loop up for seconds. */
export async function unpack(job: UnpackJob): Promise<void> {
  const worker = launchThread<UnpackJob, undefined>(PROGRAM);
  try {
    await worker.run(job);
  } finally {
    worker.end();
  }
}
