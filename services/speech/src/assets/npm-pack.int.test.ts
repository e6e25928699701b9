import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { scratchDir } from '@parley/testkit';
import { create } from 'tar';
import { npmPack } from './npm-pack.ts';

let scratch: Awaited<ReturnType<typeof scratchDir>>;
let registry: Server;
let folder: string;
beforeEach(async () => {
  scratch = await scratchDir();
  folder = path.join(scratch.path, 'fetching');
  await mkdir(path.join(scratch.path, 'package'), { recursive: true });
  await mkdir(folder);
  await writeFile(path.join(scratch.path, 'package/package.json'), '{"name":"voice","version":"1.0.0"}');
  const file = path.join(scratch.path, 'voice.tgz');
  await create({ gzip: true, file, cwd: scratch.path }, ['package']);
  const tarball = await readFile(file);
  registry = createServer((request, response) => {
    const base = `http://${request.headers.host}`;
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
    const version = { name: 'voice', version: '1.0.0', dist: { tarball: `${base}/voice.tgz`, integrity } };
    if (request.url === '/voice.tgz') response.end(tarball);
    else if (request.url === '/voice')
      response.end(JSON.stringify({ name: 'voice', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } }));
    else response.writeHead(404).end('{}');
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  const { port } = registry.address() as AddressInfo;
  await writeFile(path.join(folder, '.npmrc'), `registry=http://127.0.0.1:${port}/\nfetch-retries=0\n`);
});
afterEach(async () => {
  registry.closeAllConnections();
  registry.close();
  await scratch.remove();
});

const never = new AbortController().signal;

describe('a pack', () => {
  it("a pack comes from the registry that npm's own settings name", async () => {
    const tarball = await npmPack('voice@1.0.0', folder, never);
    expect(tarball).toBe(path.join(folder, 'voice-1.0.0.tgz'));
    expect(await readFile(tarball)).toEqual(await readFile(path.join(scratch.path, 'voice.tgz')));
  });

  it("a pack fails with npm's own message when there is none", async () => {
    await expect(npmPack('nobody@1.0.0', folder, never)).rejects.toThrow(/npm pack ended with 1: .*E404/s);
  });

  it('a pack is given up when the service stops', async () => {
    await expect(npmPack('voice@1.0.0', folder, AbortSignal.abort())).rejects.toThrow(/abort/i);
  });
});
