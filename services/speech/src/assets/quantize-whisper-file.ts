import path from 'node:path';
import { launchThread } from '../workers/worker.ts';

export interface QuantizeJob {
  readonly from: string;
  readonly to: string;
}

const PROGRAM = path.join(import.meta.dirname, 'quantize-whisper-worker.ts');

/** In a thread: thirty million numbers would hold the event loop up for a second or two. */
export async function quantizeWhisperFile(from: string, to: string): Promise<void> {
  const worker = launchThread<QuantizeJob, undefined>(PROGRAM);
  try {
    await worker.run({ from, to });
  } finally {
    worker.end();
  }
}
