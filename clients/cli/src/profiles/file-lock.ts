import { mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 50;
/** Longer than a refresh with all its retries takes. */
const AGE_MS_MAX = 180_000;
/** A lock without a number is being written. */
const WRITING_MS_MAX = 2000;

/**
 * Runs `work` in one process at a time. The lock of a process that was killed is taken over; should two processes do so at the same moment,
 * both refresh at once, which the service answers with the same tokens.
 */
export async function withFileLock<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  while (!(await acquire(file))) {
    if (await isAbandoned(file)) await rm(file, { force: true });
    else await sleep(LOOK_EVERY_MS);
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function acquire(file: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx', 0o600);
    await handle.writeFile(String(process.pid));
    await handle.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function isAbandoned(file: string): Promise<boolean> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(file, 'utf8'), stat(file)]);
    const ageMs = Date.now() - mtimeMs;
    const pid = Number(text);
    if (!Number.isInteger(pid) || pid <= 0) return ageMs > WRITING_MS_MAX;
    return ageMs > AGE_MS_MAX || !isRunning(pid);
  } catch {
    // It was released meanwhile.
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // There is one, of another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
