import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A temporary folder that only this user can enter; its path is short enough for unix sockets. */
export async function scratchDir(): Promise<{ path: string; remove(): Promise<void> }> {
  const directory = await mkdtemp(path.join(tmpdir(), 'parley-'));
  return { path: directory, remove: () => rm(directory, { recursive: true, force: true }) };
}
