import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const DASHBOARD = path.join(import.meta.dirname, '..');
const ROOT = path.join(DASHBOARD, '../../..');
const CACHE = path.join(ROOT, 'node_modules/.cache/parley/dashboard');

const SOURCES = ['app/**/*.{ts,tsx,css}', 'public/*', 'src/*.ts', 'package.json', 'vite.config.ts'];

/** Resolves to the folder of the built application. It is built unless that was done for exactly these sources. */
export async function builtDashboard(signal?: AbortSignal): Promise<string> {
  const folder = path.join(CACHE, await hashOfSources());
  if (existsSync(folder)) return folder;
  // Of two processes that build at the same time the first to finish is taken.
  const unfinished = `${folder}.${randomUUID()}`;
  try {
    await buildDashboard(unfinished, signal);
    await rename(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return folder;
}

/** Builds the application into a new folder. In a process of its own, whose memory is given back. */
export async function buildDashboard(folder: string, signal?: AbortSignal): Promise<void> {
  const program = path.join(import.meta.dirname, 'build-main.ts');
  // oxlint-disable-next-line node/no-process-env -- passed on; in a test it would be built for tests
  const env = { ...process.env, NODE_ENV: 'production' };
  await promisify(execFile)(process.execPath, [program, folder], { env, signal });
}

async function hashOfSources(): Promise<string> {
  const found = await Array.fromAsync(glob(SOURCES, { cwd: DASHBOARD }));
  const names = found.filter((name) => !name.includes('.test.')).toSorted();
  const sources = await Promise.all(names.map((name) => readFile(path.join(DASHBOARD, name), 'utf8')));
  const hash = createHash('sha256').update(JSON.stringify([names, sources]));
  // The lockfile names the versions of the packages.
  return hash
    .update(await readFile(path.join(ROOT, 'pnpm-lock.yaml')))
    .digest('hex')
    .slice(0, 32);
}
