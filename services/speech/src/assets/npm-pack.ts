import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import path from 'node:path';

/** Downloads the tarball of a package version into a folder and returns its path. */
export type PackFetcher = (spec: string, folder: string, signal: AbortSignal) => Promise<string>;

/** Enough for 114 MB on a slow connection; npm itself gives up on a broken one much earlier. */
const LIMIT_MS = 15 * 60_000;
const ERROR_LENGTH_MAX = 2000;

/**
 * Uses npm: it has the machine's registry, proxy and credentials, retries, and runs no script of
 * the package. Its cache stays in the folder, so one writable folder is all that is needed.
 */
export const npmPack: PackFetcher = async (spec, folder, signal) => {
  const args = ['pack', spec, '--ignore-scripts', '--loglevel=error', '--no-update-notifier'];
  const places = ['--pack-destination', folder, '--cache', path.join(folder, 'npm-cache')];
  await run('npm', [...args, ...places], folder, signal);
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error(`npm pack ${spec} brought nothing`);
  return path.join(folder, tarball);
};

function run(command: string, args: readonly string[], cwd: string, signal: AbortSignal): Promise<void> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'], signal: limited });
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(-ERROR_LENGTH_MAX)));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${command} ${args[0]} ended with ${code}: ${complaint.trim()}`)),
    );
  });
}
