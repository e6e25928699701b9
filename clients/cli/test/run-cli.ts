import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';

const MAIN = path.resolve(import.meta.dirname, '../src/main.ts');

/** A run of the command line as a process of its own, with nothing of this process's environment but its PATH. */
export interface CliRun {
  readonly process: ChildProcess;
  /** What it has written so far. */
  out(): string;
  err(): string;
  readonly ended: Promise<Ended>;
}

export interface Ended {
  /** Null after a signal that it does not handle. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export function startCli(args: readonly string[], environment: Environment, input?: string): CliRun {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, ...args], {
    env: { PATH: process.env['PATH'], ...environment },
    // Not the repository, which may have a stack of its own.
    cwd: environment['HOME'] ?? tmpdir(),
    stdio: 'pipe',
  });
  const texts = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.err += text));
  child.stdin.on('error', () => undefined).end(input ?? '');
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...texts }));
  });
  return { process: child, out: () => texts.out, err: () => texts.err, ended };
}

export function runCli(args: readonly string[], environment: Environment, input?: string): Promise<Ended> {
  return startCli(args, environment, input).ended;
}
