import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { ChildMessage } from './child-lifecycle.ts';

/**
 * Compiled programs, kept from one start to the next. A process that finds its programs here does not load the compiler of TypeScript,
 * which holds 14 MB.
 */
const COMPILE_CACHE = path.join(import.meta.dirname, '../../.cache/compiled');
const LAST_LINES_MS = 500;
const LAST_LINES_MAX = 30;

export interface ChildOptions {
  /** Used in log lines and errors. */
  readonly name: string;
  /** The program, run by this process's own Node.js. */
  readonly program: string;
  readonly args?: readonly string[];
  /** Options of Node.js itself. */
  readonly nodeArgs?: readonly string[];
  /** The whole environment; without it the child has this process's own. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Each line the child writes. */
  readonly output: (line: string) => void;
  readonly startMs: number;
  readonly stopMs: number;
}

/** A child process that reports when it is ready and exits when its channel closes. */
export interface Child {
  /** The process that serves, once ready. */
  readonly pid: number | undefined;
  /** Rejects with one clear line when it cannot start; the process has exited then. */
  readonly ready: Promise<void>;
  /** Resolves with the cause of the exit: 'exit code 1' or 'SIGKILL'. */
  readonly ended: Promise<string>;
  /** Stops it, with SIGKILL after `stopMs`; resolves when it has exited. */
  stop(): Promise<void>;
}

export function startChild(options: ChildOptions): Child {
  const { name, program, args = [], nodeArgs = [], env = process.env, output, startMs, stopMs } = options;
  // A separate session: a terminal's Ctrl-C must reach only the parent, which stops its children in order.
  const child = spawn(process.execPath, [...nodeArgs, program, ...args], {
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let servingPid = child.pid;
  const lastLines: string[] = [];
  const onLine = (line: string) => {
    lastLines.push(line);
    if (lastLines.length > LAST_LINES_MAX) lastLines.shift();
    output(line);
  };
  eachLine(child.stdout!, onLine);
  eachLine(child.stderr!, onLine);

  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) => child.pid === undefined && resolve(error.message));
    child.on('exit', (code, signal) => {
      const how = signal ?? `exit code ${code}`;
      // Its last lines may still arrive; an orphaned grandchild must not keep the pipe open forever.
      const late = setTimeout(resolve, LAST_LINES_MS, how);
      child.on('close', () => {
        clearTimeout(late);
        resolve(how);
      });
    });
  });
  /** The child and the processes that it has started. */
  const killGroup = () => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  const stop = async () => {
    child.kill('SIGTERM');
    const insist = setTimeout(killGroup, stopMs);
    await ended;
    clearTimeout(insist);
    // A process of its own that was busy may have outlived it.
    killGroup();
  };
  const ready = new Promise<void>((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`${name} could not start: ${reason}`));
    let failure = '';
    const late = setTimeout(() => {
      failure = `no answer within ${startMs / 1000} s`;
      stop().catch(fail);
    }, startMs);
    child.on('message', (message: ChildMessage) => {
      if ('failed' in message) failure = message.failed;
      // One that is ready too late is being stopped.
      else if (message.ready && failure === '') {
        servingPid = message.pid ?? child.pid;
        clearTimeout(late);
        resolve();
      }
    });
    ended.then((how) => {
      clearTimeout(late);
      fail(failure || errorLine(lastLines) || how);
    }, reject);
  });
  ready.catch(() => {});
  return {
    get pid() {
      return servingPid;
    },
    ready,
    ended,
    stop,
  };
}

/** The line with the reason why a program ended: its error rather than the stack below it. */
function errorLine(lines: readonly string[]): string | undefined {
  const written = lines.map((line) => line.trim()).filter((line) => line !== '');
  return written.find((line) => /^(Uncaught )?\w*Error\b.*: /.test(line)) ?? written.at(-1);
}

function eachLine(stream: Readable, onLine: (line: string) => void): void {
  createInterface({ input: stream }).on('line', onLine);
}
