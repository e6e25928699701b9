import { createServer } from 'node:net';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { freePort, scratchDir, waitUntil } from '@parley/testkit';
import { descendants, isAlive, launch, type Launched, type LocalJson } from './launched.ts';

jest.setTimeout(300_000);

let scratch: Awaited<ReturnType<typeof scratchDir>>;
let settings: { PARLEY_DATA_DIR: string; PARLEY_PORT: string };
let launched: Launched[];

beforeEach(async () => {
  scratch = await scratchDir();
  launched = [];
  settings = { PARLEY_DATA_DIR: path.join(scratch.path, 'data'), PARLEY_PORT: String(await freePort(4)) };
});

afterEach(async () => {
  await Promise.all(launched.map((stack) => stack.end('SIGTERM')));
  await scratch.remove();
});

function start(extra: Record<string, string> = {}): Launched {
  const stack = launch({ ...settings, ...extra });
  launched.push(stack);
  return stack;
}

/** Other tests may keep the machine busy: one start of a few within the time shows that it takes no longer. */
async function startWithin(limitMs: number, tries: number): Promise<LocalJson> {
  const startAt = performance.now();
  const stack = start();
  const local = await stack.ready();
  const tookMs = performance.now() - startAt;
  if (tookMs < limitMs) return local;
  if (tries === 1) throw new Error(`the last start took ${Math.round(tookMs)} ms`);
  expect(await stack.end('SIGINT')).toBe(0);
  return startWithin(limitMs, tries - 1);
}

async function contacts({ base_url, demo }: LocalJson): Promise<{ phone: string }[]> {
  const answer = await fetch(`${base_url}/api/v1/contacts`, { headers: { 'x-api-key': demo!.api_key } });
  expect(answer.status).toBe(200);
  return (await answer.json()) as { phone: string }[];
}

const health = async ({ base_url }: LocalJson) => (await fetch(`${base_url}/healthz`)).status;

describe('npm start', () => {
  it('says where everything is, stops without a trace, and finds its data again within ten seconds', async () => {
    const first = start();
    const local = await first.ready();
    const port = Number(settings.PARLEY_PORT);
    expect(local).toMatchObject({
      base_url: `http://127.0.0.1:${port}`,
      operator_url: `http://127.0.0.1:${port + 1}`,
      sandbox_url: `http://127.0.0.1:${port + 2}`,
    });
    expect(first.output().trimEnd().split('\n').at(-1)).toMatch(/^ready/);
    expect(first.output()).toContain(local.demo!.password);
    expect(await health(local)).toBe(200);
    const before = await contacts(local);
    expect(before.length).toBeGreaterThan(0);

    const below = descendants(first.process.pid!);
    const stopAt = performance.now();
    expect(await first.end('SIGINT')).toBe(0);
    expect(performance.now() - stopAt).toBeLessThan(10_000);
    expect(below.filter(({ pid }) => isAlive(pid))).toEqual([]);

    const again = await startWithin(10_000, 3);
    expect(again).toEqual(local);
    expect(await contacts(again)).toEqual(before);
  });

  it('runs beside another one, leaves no process when it is killed, and starts again at once', async () => {
    const [first, second] = [
      start({ PARLEY_SEED: 'none' }),
      start({
        PARLEY_SEED: 'none',
        PARLEY_DATA_DIR: path.join(scratch.path, 'second'),
        PARLEY_PORT: String(await freePort(4)),
      }),
    ];
    const [local, other] = [await first.ready(), await second.ready()];
    expect(local.demo).toBeNull();
    expect([await health(local), await health(other)]).toEqual([200, 200]);
    const below = descendants(first.process.pid!);
    expect(below.length).toBeGreaterThan(0);
    await first.end('SIGKILL');
    expect(await health(await start({ PARLEY_SEED: 'none' }).ready())).toBe(200);
    await waitUntil(() => below.every(({ pid }) => !isAlive(pid)), { what: 'the end of every process below' });
    expect(await health(other)).toBe(200);
  });

  it('with a process per service brings back every process that is killed', async () => {
    const stack = start({ PARLEY_PROCESSES: 'separate' });
    const local = await stack.ready();
    const before = await contacts(local);
    const killed = descendants(stack.process.pid!);
    for (const { pid } of killed) {
      if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    }
    const commands = killed.map(({ command }) => command).toSorted();
    await waitUntil(
      () => {
        const now = descendants(stack.process.pid!).filter(({ pid }) => !killed.some((old) => old.pid === pid));
        expect(now.map(({ command }) => command).toSorted()).toEqual(commands);
        return true;
      },
      { what: 'every process to be back', timeoutMs: 120_000 },
    );
    await waitUntil(async () => (await health(local)) === 200, { what: 'health', timeoutMs: 120_000 });
    expect(await contacts(local)).toEqual(before);
  });
});

describe('npm start that cannot', () => {
  it('says in one line which port is taken', async () => {
    const port = Number(settings.PARLEY_PORT) + 2;
    const squatter = createServer().listen(port, '127.0.0.1');
    await once(squatter, 'listening');
    const stack = start();
    expect(await stack.ended()).toBe(1);
    expect(stack.output()).toMatch(new RegExp(`^parley: port ${port} for the sandbox is taken[^\n]*\n$`));
    squatter.close();
  });

  it('says in one line that the data directory cannot be written', async () => {
    const stack = start({ PARLEY_DATA_DIR: '/proc/parley' });
    expect(await stack.ended()).toBe(1);
    expect(stack.output()).toMatch(/^parley: the data directory \/proc\/parley cannot be written: [^\n]*\n$/);
  });

  it('says in one line that MONGODB_URL does not answer', async () => {
    const stack = start({ MONGODB_URL: `mongodb://127.0.0.1:${await freePort()}` });
    expect(await stack.ended()).toBe(1);
    expect(stack.output()).toMatch(/^parley: MONGODB_URL \([^)]*\) does not answer: [^\n]*\n$/);
  });

  it('stops cleanly when it is interrupted in the middle of starting', async () => {
    await mkdir(settings.PARLEY_DATA_DIR);
    const stack = start();
    await waitUntil(() => stack.output().includes('starting MongoDB'), { what: 'the start of MongoDB' });
    await waitUntil(() => descendants(stack.process.pid!).length > 0, { what: 'a process' });
    const below = descendants(stack.process.pid!);
    expect(await stack.end('SIGTERM')).toBe(0);
    expect(below.filter(({ pid }) => isAlive(pid))).toEqual([]);
  });
});
