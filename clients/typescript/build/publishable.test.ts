import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { packed } from './packed.ts';
import * as publishable from './publishable.ts';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../../..');

let folder: string;
let tarball: string;
let published: string;
/** A folder of a program that has nothing but the package. */
let program: string;
let server: Server;
let baseUrl: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parley-package-'));
  program = path.join(folder, 'program');
  ({ published, tarball } = await packed(publishable, folder));
  await mkdir(program);
  await writeFile(path.join(program, 'package.json'), '{"type": "module"}');
  const install = ['install', '--offline', '--no-audit', '--no-fund', '--no-update-notifier', tarball];
  await run('npm', install, { cwd: program });
  server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'application/json').end('{"calls":[{"id":"call_1"}],"next_cursor":null}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server?.close();
  await rm(folder, { recursive: true, force: true });
});

const PROGRAM = `
import { Parley, ParleyError, type Call } from '@parley/sdk';
import { signWebhook, verifyWebhook } from '@parley/sdk/webhooks';

const parley = new Parley({ apiKey: 'pk_1' });
const calls: Call[] = [];
for await (const call of parley.calls.list({ direction: 'inbound' })) calls.push(call);
const body = JSON.stringify({ event: 'contact.created', timestamp: '', data: {} });
const event = await verifyWebhook(body, await signWebhook(body, 'whsec_c2VjcmV0'), 'whsec_c2VjcmV0');
console.log(calls[0]?.id, event.event, new ParleyError('x') instanceof Error);
`;

describe('the package', () => {
  it('the package is all that a program in an empty folder needs', async () => {
    await writeFile(path.join(program, 'program.ts'), PROGRAM);
    const { stdout } = await run(process.execPath, ['program.ts'], {
      cwd: program,
      env: { PATH: process.env['PATH'], PARLEY_BASE_URL: baseUrl },
    });
    expect(stdout.trim()).toBe('call_1 contact.created true');
  });

  it.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])(
    'the package has types for a strict program with modules %s, resolved as by %s',
    async (module, moduleResolution) => {
      await writeFile(path.join(program, 'program.ts'), PROGRAM);
      const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
      const lib = ['es2023', 'dom', 'dom.iterable'];
      const compilerOptions = { ...strict, module, moduleResolution, target: 'es2023', lib, types: [], noEmit: true };
      await writeFile(path.join(program, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
      await run(path.join(root, 'node_modules/.bin/tsc'), ['-p', program]);
    },
  );

  it('the package has entries that every runtime and bundler finds', async () => {
    const { messages, pkg } = await publint({ pkgDir: published, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg!))).toEqual([]);
    const types = await checkPackage(createPackageFromTarballData(new Uint8Array(await readFile(tarball))));
    // It is an ES module: programs in CommonJS import it with `import()`.
    const modern = (kind: string | undefined) => kind === undefined || kind === 'node16-esm' || kind === 'bundler';
    const problems = 'problems' in types ? types.problems : undefined;
    expect(
      problems?.filter((problem) => modern('resolutionKind' in problem ? problem.resolutionKind : undefined)),
    ).toEqual([]);
    const manifest = JSON.parse(await readFile(path.join(published, 'package.json'), 'utf8')) as object;
    expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(['dependencies']));
    expect(manifest).not.toHaveProperty('devDependencies');
    expect(JSON.stringify(manifest)).not.toContain('workspace:');
  });

  it.each([
    ['@parley/sdk', 25_000],
    ['@parley/sdk/webhooks', 4000],
  ])(
    'the package has an entry %s that is smaller than %i bytes when it is minified and compressed',
    async (name, max) => {
      const { outputFiles, metafile } = await build({
        stdin: { contents: `export * from '${name}';`, resolveDir: program },
        bundle: true,
        minify: true,
        format: 'esm',
        platform: 'browser',
        metafile: true,
        write: false,
      });
      expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
      expect(gzipSync(outputFiles[0]!.contents).length).toBeLessThan(max);
    },
  );
});
