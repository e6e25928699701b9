import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { scratchDir } from '@parley/testkit';
import { openDataDir } from './data-dir.ts';
import { loadSecrets } from './secrets.ts';
import { switchSecretOf } from './switch-secret.ts';

let scratch: Awaited<ReturnType<typeof scratchDir>>;
let dataDir: string;
beforeEach(async () => {
  scratch = await scratchDir();
  dataDir = path.join(scratch.path, 'data');
});
afterEach(() => scratch.remove());

it('a switch that is configured before the first start has the secret of the stack', async () => {
  const secret = await switchSecretOf(dataDir);
  expect(secret).toMatch(/^[\w-]{16,}$/);
  expect(await switchSecretOf(dataDir)).toBe(secret);
  const opened = await openDataDir(dataDir);
  expect((await loadSecrets(opened, ['directory'])).switchSecret).toBe(secret);
  // Also while the stack runs.
  expect(await switchSecretOf(dataDir)).toBe(secret);
  await opened.release();
});

it('a secret that is there is taken, and nothing is written', async () => {
  await mkdir(dataDir);
  const file = path.join(dataDir, 'secrets.json');
  await writeFile(file, JSON.stringify({ switchSecret: 'secret-of-the-switch' }));
  expect(await switchSecretOf(dataDir)).toBe('secret-of-the-switch');
  expect(await readFile(file, 'utf8')).toBe('{"switchSecret":"secret-of-the-switch"}');
});
