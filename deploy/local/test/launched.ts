import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { waitUntil } from '@parley/testkit';

const MAIN = path.join(import.meta.dirname, '../src/main.ts');

export interface LocalJson {
  base_url: string;
  operator_url: string;
  operator_token: string;
  sandbox_url: string;
  demo: { company_id: string; email: string; password: string; api_key: string } | null;
}

/** `npm start` after the bootstrap: the launcher's own process, with what it has written so far. */
export interface Launched {
  readonly process: ChildProcess;
  output(): string;
  /** Waits for the `ready` line and returns the content of local.json. */
  ready(): Promise<LocalJson>;
  /** Sends a signal and answers with the exit code, null when the signal itself ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  ended(): Promise<number | null>;
}

export function launch(settings: { PARLEY_DATA_DIR: string } & Record<string, string>): Launched {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH, HOME, ...settings },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (output += String(chunk)));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    process: child,
    output: () => output,
    async ready() {
      await waitUntil(() => /^ready/m.test(output) || (child.exitCode !== null && 'ended'), {
        what: `the ready line, after:\n${output}`,
        timeoutMs: 240_000,
      });
      if (child.exitCode !== null) throw new Error(`the stack did not start:\n${output}`);
      return JSON.parse(await readFile(path.join(settings.PARLEY_DATA_DIR, 'local.json'), 'utf8')) as LocalJson;
    },
    end: async (signal) => {
      child.kill(signal);
      return ended;
    },
    ended: () => ended,
  };
}

export async function contacts({ base_url, demo }: LocalJson): Promise<{ phone: string }[]> {
  const answer = await fetch(`${base_url}/api/v1/contacts`, { headers: { 'x-api-key': demo!.api_key } });
  if (answer.status !== 200) throw new Error(`GET /contacts answered ${answer.status}`);
  return (await answer.json()) as { phone: string }[];
}

export const health = async ({ base_url }: LocalJson) => (await fetch(`${base_url}/healthz`)).status;

/** Every process below this one, with its command line. */
export function descendants(pid: number): { pid: number; command: string }[] {
  const parents = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map((entry) => ({ pid: Number(entry), parent: parentOf(Number(entry)) }));
  const below = (ancestor: number): number[] =>
    parents.filter(({ parent }) => parent === ancestor).flatMap((child) => [child.pid, ...below(child.pid)]);
  return below(pid).map((child) => ({ pid: child, command: read(`/proc/${child}/cmdline`).replaceAll('\0', ' ') }));
}

export function isAlive(pid: number): boolean {
  // A zombie has exited; its parent has not read its exit code.
  return !/^State:\s+Z/m.test(read(`/proc/${pid}/status`) || 'State: Z');
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1]);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
