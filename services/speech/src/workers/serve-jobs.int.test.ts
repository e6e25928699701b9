import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

const MODULE = path.join(import.meta.dirname, 'serve-jobs.ts');
const PROGRAM = `
  import { getPriority } from 'node:os';
  import { serveJobs } from ${JSON.stringify(MODULE)};
  serveJobs(() => undefined, 4);
  console.log(getPriority());
`;

/** The niceness of a process that was started with one and lowers its priority to 4. */
async function nicenessAfter(started: number): Promise<number> {
  const args = ['-n', String(started), process.execPath, '--input-type=module', '--eval', PROGRAM];
  const { stdout } = await promisify(execFile)('nice', args);
  return Number(stdout);
}

it('a process gives way to others', async () => {
  expect(await nicenessAfter(0)).toBeGreaterThanOrEqual(4);
});

it('a process that was started with a higher niceness keeps it and continues', async () => {
  expect(await nicenessAfter(10)).toBeGreaterThanOrEqual(10);
});
