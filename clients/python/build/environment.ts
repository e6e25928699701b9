import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const client = path.resolve(import.meta.dirname, '..');
const cache = path.resolve(client, '../../node_modules/.cache/parley');
const REQUIREMENTS = path.join(client, 'requirements-development.txt');

/** The newest first; `python3` may be any of them. */
const NAMES = ['python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3'];
const PROBE =
  'import sys, venv, ensurepip; print(sys.version.split()[0]) if sys.version_info >= (3, 11) else sys.exit(1)';
const INSTALL_MS_MAX = 240_000;

/** A Python with the packages of requirements-development.txt, or why there is none. */
export type Environment = { readonly python: string } | { readonly unavailable: string };

/** Made once for a Python and those requirements; also several processes that ask at once share it. */
export async function pythonEnvironment(): Promise<Environment> {
  const found = await findPython();
  if (!found) return { unavailable: 'there is no Python 3.11 with the module venv' };
  const requirements = await readFile(REQUIREMENTS, 'utf8');
  const folder = path.join(cache, `python-${digestOf(found.version, requirements)}`);
  try {
    await makeOnce(folder, () => makeEnvironment(found.command, folder));
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    const reason = stderr?.trim().split('\n').at(-1) ?? 'pip took too long';
    return { unavailable: `the packages of its tests cannot be installed (${reason})` };
  }
  return { python: path.join(folder, 'bin/python') };
}

/** Builds the wheel that is published, into a folder. */
export async function buildWheel(python: string, folder: string): Promise<string> {
  await runPython(python, ['-m', 'hatchling', 'build', '-t', 'wheel', '-d', folder]);
  const [wheel] = (await readdir(folder)).filter((name) => name.endsWith('.whl'));
  return path.join(folder, wheel!);
}

/** A folder with the wheels that a wheel of the client needs; pip installs it from there without a network. Made once for their versions. */
export async function neededWheels(python: string, wheel: string): Promise<string> {
  const versions = [REQUIREMENTS, path.join(client, 'pyproject.toml')].map((file) => readFile(file, 'utf8'));
  const folder = path.join(cache, `wheels-${digestOf(python, ...(await Promise.all(versions)))}`);
  const pip = ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--only-binary', ':all:'];
  await makeOnce(folder, async () => {
    await run(python, [...pip, '-c', REQUIREMENTS, '-d', folder, wheel], { timeout: INSTALL_MS_MAX });
    await rm(path.join(folder, path.basename(wheel)));
  });
  return folder;
}

/** Runs a module of Python in the folder of the client, and gives what it printed; an error with that when it fails. */
export function runPython(
  python: string,
  args: readonly string[],
  { input = '', env = {}, cwd = client }: { input?: string; env?: Record<string, string>; cwd?: string } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const clean = { PATH: process.env['PATH'], HOME: process.env['HOME'], PYTHONDONTWRITEBYTECODE: '1' };
    const child = spawn(python, args, { cwd, env: { ...clean, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
    let output = '';
    let problems = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (problems += text));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`python ${args.join(' ')} ended with ${code}\n${output}\n${problems}`));
    });
    child.stdin.end(input);
  });
}

async function findPython(): Promise<{ command: string; version: string } | undefined> {
  for (const command of [process.env['PARLEY_PYTHON'], ...NAMES]) {
    if (command === undefined || command === '') continue;
    const probed = await run(command, ['-c', PROBE]).catch(() => undefined);
    if (probed) return { command, version: probed.stdout.trim() };
  }
  return undefined;
}

async function makeEnvironment(command: string, folder: string): Promise<void> {
  await run(command, ['-m', 'venv', folder]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '-r', REQUIREMENTS];
  await run(path.join(folder, 'bin/python'), pip, { timeout: INSTALL_MS_MAX });
}

function digestOf(...texts: readonly string[]): string {
  return createHash('sha256').update(texts.join('')).digest('hex').slice(0, 12);
}

/** Makes a folder unless it is complete; one process at a time. */
async function makeOnce(folder: string, make: () => Promise<void>): Promise<void> {
  const [stamp, lock] = [path.join(folder, 'complete'), `${folder}.lock`];
  await mkdir(cache, { recursive: true });
  while (!existsSync(stamp)) {
    if (!(await take(lock))) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      continue;
    }
    try {
      if (existsSync(stamp)) continue;
      await rm(folder, { recursive: true, force: true });
      await make();
      await writeFile(stamp, '');
    } finally {
      await rm(lock, { force: true });
    }
  }
}

/** Whether this process has the lock now; that of a process which has ended is removed. */
async function take(lock: string): Promise<boolean> {
  try {
    const file = await open(lock, 'wx');
    await file.writeFile(String(process.pid));
    await file.close();
    return true;
  } catch {
    const owner = Number(await readFile(lock, 'utf8').catch(() => ''));
    if (owner > 0 && !isRunning(owner)) await rm(lock, { force: true });
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
