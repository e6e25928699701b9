import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ConfigError } from './config.ts';
import { startService, defineService } from './run.ts';

describe('starting a service', () => {
  const order: string[] = [];
  const service = (fails: boolean) =>
    defineService({
      name: 'tiny',
      config: z.object({ WORD: z.string() }),
      async start({ WORD }, lifecycle) {
        lifecycle.defer('first', () => void order.push('stop first'));
        lifecycle.defer('second', () => void order.push('stop second'));
        order.push(`start ${WORD}`);
        if (fails) throw new Error('no broker');
      },
    });

  it('starting a service runs it until it is stopped', async () => {
    order.length = 0;
    const running = await startService(service(false), { WORD: 'hello' });
    expect(order).toEqual(['start hello']);
    await running.stop();
    expect(order).toEqual(['start hello', 'stop second', 'stop first']);
  });

  it('starting a service stops what had started when the start fails', async () => {
    order.length = 0;
    await expect(startService(service(true), { WORD: 'hello' })).rejects.toThrow('no broker');
    expect(order).toEqual(['start hello', 'stop second', 'stop first']);
  });

  it('starting a service is refused with wrong settings', async () => {
    order.length = 0;
    await expect(startService(service(false), {})).rejects.toBeInstanceOf(ConfigError);
    expect(order).toEqual([]);
  });
});

describe('a service in a separate process', () => {
  const children: ChildProcess[] = [];
  afterEach(() => children.splice(0).forEach((child) => child.kill('SIGKILL')));

  function run(env: Record<string, string>, program = 'tiny-service.ts', execArgv: string[] = []) {
    const child = fork(new URL(`../test/${program}`, import.meta.url), [env['MODE'] ?? ''], {
      env,
      silent: true,
      execArgv,
    });
    children.push(child);
    let output = '';
    child.stdout!.on('data', (chunk) => (output += chunk));
    child.stderr!.on('data', (chunk) => (output += chunk));
    const logged = (words: string) =>
      new Promise<void>((resolve) => {
        const look = () => output.includes(words) && resolve();
        child.stdout!.on('data', look);
        look();
      });
    // Not the child's own `close`: it does not come after a `disconnect`.
    const ends = [once(child, 'exit'), once(child.stdout!, 'close'), once(child.stderr!, 'close')] as const;
    const ended = Promise.all(ends).then(([[code]]) => ({ code: code as number, output }));
    return { child, logged, ended };
  }

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'a service in a separate process reports when it is ready, and stops cleanly on %s',
    async (signal) => {
      const { child, ended } = run({ MODE: 'ready', PORT_COUNT: '1' });
      expect(await once(child, 'message')).toEqual([{ ready: true }, undefined]);
      child.kill(signal);
      expect(await ended).toEqual({ code: 0, output: 'started\nstopped second\nstopped first\n' });
    },
  );

  it.each([
    ['timer', 'second crashed: Error: not handled'],
    ['rejection', 'second crashed: Error: not handled'],
    ['tick', 'second crashed: Error: not handled'],
    // The context of an accepted socket is unknown: then no service is blamed.
    ['socket', 'one of the services crashed: Error: not handled'],
  ])('a process of several services names the one that failed in a %s', async (mode, expected) => {
    const { code, output } = await run({ MODE: mode }, 'two-services.ts').ended;
    expect(code).toBe(1);
    expect(output).toContain(expected);
  });

  it.each(['rejects', 'throws'])(
    'a service in a separate process stops cleanly with exit code 1 after an unhandled error that %s',
    async (mode) => {
      const { code, output } = await run({ MODE: mode, PORT_COUNT: '1' }).ended;
      expect(code).toBe(1);
      // Two streams of the process, in no particular order.
      expect(output).toContain('tiny crashed: Error: not handled');
      expect(output).toMatch(/stopped second\n[^]*stopped first\n/);
    },
  );

  it('a service in a separate process stops when its parent process has ended', async () => {
    const { child, ended } = run({ MODE: 'ready', PORT_COUNT: '1' });
    await once(child, 'message');
    child.disconnect();
    expect((await ended).output).toContain('stopped first');
  });

  it('a service in a separate process does not start when its parent process has ended before', async () => {
    // It loads slowly, so that it notices the end before it listens for it.
    const slowly = ['--import', 'data:text/javascript,while (process.connected) await new Promise(setImmediate)'];
    const { child, ended } = run({ MODE: 'ready', PORT_COUNT: '1' }, 'tiny-service.ts', slowly);
    child.disconnect();
    expect(await ended).toEqual({ code: 0, output: '' });
  });

  it('a service in a separate process stops its started components when it is stopped while it starts', async () => {
    const { child, logged, ended } = run({ MODE: 'hangs', PORT_COUNT: '1' });
    await logged('started');
    child.kill('SIGTERM');
    expect(await ended).toEqual({ code: 0, output: 'started\nstopped second\nstopped first\n' });
  });

  it('a service in a separate process ends with every problem of its settings', async () => {
    const { code, output } = await run({ PORT_COUNT: 'many' }).ended;
    expect(code).toBe(1);
    expect(output).toMatch(/^tiny cannot start with these settings:\n {2}MODE: is missing\n {2}PORT_COUNT: .+\n$/);
  });

  it('a service in a separate process ends with the reason, without its secrets, when it cannot start', async () => {
    const { code, output } = await run({ MODE: 'fails', PORT_COUNT: '1' }).ended;
    expect(code).toBe(1);
    expect(output).toContain('tiny could not start: Error: no database at mongodb://[redacted]@db');
    expect(output).toContain('stopped first');
    expect(output).not.toContain('s3cret');
  });
});
