import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { packed, type Packed } from '../../typescript/build/packed.ts';
import * as publishable from './publishable.ts';

const run = promisify(execFile);
let folder: string;
let user: string;
let kit: Packed;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parley-package-'));
  user = path.join(folder, 'user');
  kit = await packed(publishable, folder);
  await mkdir(user);
  const install = ['install', '--offline', '--no-audit', '--no-fund', '--no-update-notifier', kit.tarball];
  await run('npm', install, { cwd: user });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the package of the conformance kit', () => {
  it('the package of the conformance kit is all that a user in an empty folder needs', async () => {
    const environment = { PATH: `${path.dirname(process.execPath)}:${process.env['PATH']}` };
    const program = path.join(user, 'node_modules/.bin/parley-conformance');
    const { stdout } = await run(program, ['--list', '--area', 'contacts'], { cwd: user, env: environment });
    expect(stdout).toMatch(/^CONTACTS-\d{3} must api .+ \(service-api\.md: .+\)$/m);
    const script = "import { main } from '@parley/conformance'; process.exitCode = await main(['--area', 'nowhere']);";
    const module = run(process.execPath, ['--input-type=module', '-e', script], { cwd: user });
    await expect(module).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('no area nowhere') });
  });

  it('the package of the conformance kit has entries that Node.js finds, and needs nothing else', async () => {
    const { messages, pkg } = await publint({ pkgDir: kit.published, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg!))).toEqual([]);
    for (const field of ['dependencies', 'devDependencies', 'scripts']) expect(kit.manifest).not.toHaveProperty(field);
  });
});
