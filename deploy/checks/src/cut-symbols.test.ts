import { execFileSync } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { root } from './root.ts';

let scratch: string;
beforeAll(() => {
  scratch = mkdtempSync(path.join(tmpdir(), 'parley-symbols-'));
});
afterAll(() => {
  rmSync(scratch, { recursive: true });
});

it('cuts off what is not loaded of Node.js, which runs as before, and nothing more the next time', async () => {
  // Plain JavaScript for any Node.js, without types.
  const module: string = path.join(root, 'deploy/bootstrap/cut-symbols.mjs');
  const { cutSymbols } = (await import(module)) as { cutSymbols(file: string): void };
  const program = path.join(scratch, 'node');
  copyFileSync(process.execPath, program);
  appendFileSync(program, Buffer.alloc(1000));
  cutSymbols(program);
  const { size } = statSync(program);
  expect(size).toBeLessThanOrEqual(statSync(process.execPath).size);
  cutSymbols(program);
  expect(statSync(program).size).toBe(size);
  const script = 'new Intl.NumberFormat("da").format(1.5) + process.version';
  expect(execFileSync(program, ['-p', script], { encoding: 'utf8' }).trim()).toBe(`1,5${process.version}`);
});
