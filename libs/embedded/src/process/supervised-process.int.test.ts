import { rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findProcesses, waitForExit } from './find-processes.ts';
import { type SuperviseOptions, superviseProcess } from './supervised-process.ts';

let directory: string;
let program: string;

beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'parley-'));
  program = path.join(directory, 'program.mjs');
});

afterEach(async () => {
  expect(findProcesses((argv) => argv.includes(program))).toEqual([]);
  await rm(directory, { recursive: true });
});

const READY = `process.send({ ready: true }); process.on('disconnect', () => process.exit());`;

async function supervise(source: string, options: Partial<SuperviseOptions> = {}) {
  await writeFile(program, source);
  const lines: string[] = [];
  const waiting: { text: string; found: () => void }[] = [];
  const log = (line: string) => {
    lines.push(line);
    for (const { text, found } of waiting) if (line.includes(text)) found();
  };
  const logged = (text: string) => new Promise<void>((found) => waiting.push({ text, found }));
  return { child: await superviseProcess({ name: 'it', program, log, ...options }), lines, logged };
}

describe('a supervised process', () => {
  it('a supervised process is started again after each unexpected exit, until it is stopped', async () => {
    const { child, lines, logged } = await supervise(READY, { restart: true });
    for (let i = 0; i < 2; i++) {
      const back = logged('it has restarted');
      process.kill(child.pid!, 'SIGKILL');
      await back;
    }
    await child.stop();
    expect(lines).toEqual(Array(2).fill(['it exited unexpectedly (SIGKILL), restarting', 'it has restarted']).flat());
  });

  it('a supervised process is tried again and again when it cannot be started again', async () => {
    const mark = path.join(directory, 'mark');
    const source = `import { existsSync } from 'node:fs';
      if (existsSync(${JSON.stringify(mark)})) throw new Error('the mark is there');
      ${READY}`;
    let starts = 0;
    const beforeStart = () => {
      if (++starts === 2) writeFileSync(mark, '');
      if (starts === 3) rmSync(mark);
    };
    const { child, lines, logged } = await supervise(source, { restart: true, output: () => {}, beforeStart });
    const back = logged('it has restarted');
    process.kill(child.pid!, 'SIGKILL');
    await back;
    await child.stop();
    expect(lines).toEqual([
      'it exited unexpectedly (SIGKILL), restarting',
      'it could not start: Error: the mark is there',
      'it has restarted',
    ]);
  });

  it('a supervised process keeps what it has compiled for its next start, in another folder if one is given', async () => {
    const source = `console.log(process.env.NODE_COMPILE_CACHE); ${READY}`;
    const folders: string[] = [];
    const output = (line: string) => void folders.push(line);
    const given = path.join(directory, 'compiled');
    for (const env of [{}, { NODE_COMPILE_CACHE: given }])
      await (await supervise(source, { env, output })).child.stop();
    expect(folders).toEqual([path.join(import.meta.dirname, '../../.cache/compiled'), given]);
    expect(await readdir(given)).toHaveLength(1);
  });

  it('a supervised process stays down without the restart option', async () => {
    const { child, logged } = await supervise(READY);
    const ended = logged('it exited unexpectedly (SIGKILL)');
    process.kill(child.pid!, 'SIGKILL');
    await ended;
    await child.stop();
  });

  it('a supervised process passes on what it writes', async () => {
    const { child, lines } = await supervise(`console.log('one'); console.error('two'); ${READY}`);
    await child.stop();
    expect(lines.toSorted()).toEqual(['it: one', 'it: two']);
  });

  it('a supervised process is killed when it will not stop', async () => {
    const { child } = await supervise(`process.on('SIGTERM', () => {}); ${READY}`, { stopMs: 100 });
    await child.stop();
  });

  it('a supervised process can be stopped while it waits to be started again', async () => {
    const { child, logged } = await supervise(READY, { restart: true });
    const ended = logged('exited unexpectedly');
    process.kill(child.pid!, 'SIGKILL');
    await ended;
    await child.stop();
    expect(await waitForExit((argv) => argv.includes(program), 10_000)).toBe(true);
  });
});

describe('a process that cannot start', () => {
  it('a process that cannot start is an error with its own reason', async () => {
    const source = `process.send({ failed: 'the port is taken' }, () => process.exit(1));`;
    await expect(supervise(source)).rejects.toThrow(/^it could not start: the port is taken$/);
  });

  it('a process that cannot start is an error with its last line when it gave no reason', async () => {
    await expect(supervise(`console.error('no such setting'); process.exit(1);`)).rejects.toThrow(
      /^it could not start: no such setting$/,
    );
  });

  it('a process that cannot start is an error with the message of what it threw', async () => {
    await expect(supervise(`await null; throw new TypeError('no such setting');`)).rejects.toThrow(
      /^it could not start: TypeError: no such setting$/,
    );
  });

  it('a process that cannot start is ended when its start is given up', async () => {
    await writeFile(program, `setInterval(() => {}, 1_000)`);
    const giveUp = new AbortController();
    const start = superviseProcess({ name: 'it', program, log: () => {}, signal: giveUp.signal });
    giveUp.abort();
    await expect(start).rejects.toThrow(/^it could not start: SIGTERM$/);
  });

  it('a process that cannot start is ended when it is never ready', async () => {
    const source = `setInterval(() => {}, 1_000)`;
    await expect(supervise(source, { startMs: 200 })).rejects.toThrow(/^it could not start: no answer within 0.2 s$/);
  });

  it('a process that cannot start is not taken for ready when that comes after its start was given up', async () => {
    const source = `process.on('SIGTERM', () => process.send({ ready: true }, () => process.exit(0)));
      setInterval(() => {}, 1_000)`;
    await expect(supervise(source, { startMs: 500 })).rejects.toThrow(/^it could not start: no answer within 0.5 s$/);
  });
});
