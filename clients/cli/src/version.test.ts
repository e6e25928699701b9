import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { VERSION } from './version.ts';

it('the command line has the version in its package.json', async () => {
  const manifest = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  expect((JSON.parse(manifest) as { version: string }).version).toBe(VERSION);
});
