import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { packed } from '../../typescript/build/packed.ts';
import * as publishable from './publishable.ts';

const run = promisify(execFile);

let folder: string;
let published: string;
/** A folder of a user who has nothing but the package. */
let user: string;
let server: Server;
let baseUrl: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parley-package-'));
  user = path.join(folder, 'user');
  let tarball: string;
  ({ published, tarball } = await packed(publishable, folder));
  await mkdir(user);
  await writeFile(path.join(user, 'package.json'), '{}');
  const install = ['install', '--offline', '--no-audit', '--no-fund', '--no-update-notifier', tarball];
  await run('npm', install, { cwd: user });
  server = createServer((request, response) => {
    const body = request.url === '/openapi.json' ? { openapi: '3.1.0' } : { error: 'not_found' };
    response.writeHead('openapi' in body ? 200 : 404, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server?.close();
  await rm(folder, { recursive: true, force: true });
});

/** The program as npm has installed it. */
const parley = (...args: string[]) =>
  run(path.join(user, 'node_modules/.bin/parley'), args, {
    cwd: user,
    env: { PATH: `${path.dirname(process.execPath)}:${process.env['PATH']}`, HOME: user, PARLEY_BASE_URL: baseUrl },
  });

describe('the package of the command line', () => {
  it('the package of the command line is all that a user in an empty folder needs', async () => {
    const { version } = JSON.parse(await readFile(publishable.MANIFEST, 'utf8')) as { version: string };
    expect((await parley('--version')).stdout.trim()).toBe(version);
    expect(JSON.parse((await parley('docs', 'openapi')).stdout)).toEqual({ openapi: '3.1.0' });
    await expect(parley('whoami')).rejects.toMatchObject({ code: 3 });
    expect((await parley('conformance', '--list')).stdout).toContain('CONTACTS-001');
    await expect(parley('conformance', '--nothing')).rejects.toMatchObject({ code: 2 });
    expect((await readdir(path.join(user, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual([
      '@parley',
    ]);
  });

  it('the package of the command line has a manifest that registries take, without what is for the repository', async () => {
    const { messages, pkg } = await publint({ pkgDir: published, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg!))).toEqual([]);
    const manifest = JSON.parse(await readFile(path.join(published, 'package.json'), 'utf8')) as object;
    for (const field of ['dependencies', 'devDependencies', 'scripts']) expect(manifest).not.toHaveProperty(field);
    expect(manifest).toMatchObject({ bin: { parley: 'dist/parley.js' } });
    expect(await readdir(path.join(published, 'dist'))).toEqual(['chunks', 'commander.LICENSE', 'parley.js']);
  });
});
