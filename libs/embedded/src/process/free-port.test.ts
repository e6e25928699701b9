import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { freePort } from './free-port.ts';

describe('a free port', () => {
  it('a free port can be listened on', async () => {
    const port = await freePort();
    const server = createServer();
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
    await new Promise((resolve) => server.close(resolve));
  });

  it('a free port is reserved, in this process and in others, before and after it was listened on', async () => {
    const ports = await Promise.all(Array.from({ length: 300 }, () => freePort(4)));
    const module = JSON.stringify(path.join(import.meta.dirname, 'free-port.ts'));
    const script = `const { freePort } = await import(${module});
      console.log(JSON.stringify(await Promise.all(Array.from({ length: 300 }, () => freePort(4)))));`;
    const args = ['--input-type=module', '--disable-warning=ExperimentalWarning', '--eval', script];
    const elsewhere = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as number[];
    const all = [...ports, ...elsewhere].flatMap((first) => [first, first + 1, first + 2, first + 3]);
    expect(new Set(all).size).toBe(all.length);
  });
});
