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
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [MAIN], {
    env: { PATH, HOME, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }), ...settings },
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

/** A company with a contact, where there is no demo company: that one's history takes most of a minute of processor time. */
export async function createCompany({
  base_url,
  operator_url,
  operator_token,
}: LocalJson): Promise<{ api_key: string }> {
  const created = await post(
    `${operator_url}/operator/v1/companies`,
    { authorization: `Bearer ${operator_token}` },
    {
      name: 'Holm & Co',
      country: 'DK',
      owner: { name: 'Grace Holm', email: 'grace@holm.example', password: 'a-long-password' },
    },
  );
  const { api_key } = created as { api_key: string };
  await post(`${base_url}/api/v1/contacts`, { 'x-api-key': api_key }, { name: 'Linus Skov', phone: '+4520304051' });
  return { api_key };
}

async function post(url: string, headers: Record<string, string>, body: object): Promise<unknown> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.status !== 201) throw new Error(`POST ${url} answered ${answer.status} ${await answer.text()}`);
  return answer.json();
}

export async function contacts(
  { base_url, demo }: LocalJson,
  { api_key }: { api_key: string } = demo!,
): Promise<{ phone: string }[]> {
  const answer = await fetch(`${base_url}/api/v1/contacts`, { headers: { 'x-api-key': api_key } });
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
