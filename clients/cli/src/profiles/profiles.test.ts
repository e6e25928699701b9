import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { configFolder } from './config-folder.ts';
import { withFileLock } from './file-lock.ts';
import { openProfile } from './profiles.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'parley-cli-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const open = (name = 'default') => openProfile(name, { XDG_CONFIG_HOME: folder });
const PROFILE = {
  base_url: 'https://phone.example',
  client_id: 'app_1',
  tokens: { access_token: 'at_1', refresh_token: 'rt_1' },
};
const modeOf = async (file: string) => ((await stat(file)).mode & 0o777).toString(8);

describe('the folder of settings', () => {
  it.each([
    [{ XDG_CONFIG_HOME: '/settings' }, '/settings/parley'],
    [{ XDG_CONFIG_HOME: 'relative' }, /^\/.*\/\.config\/parley$/],
    [{}, /^\/.*\/\.config\/parley$/],
  ])('the folder of settings with %j is %s', (env, expected) => {
    expect(configFolder(env)).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
  });
});

describe('a profile', () => {
  it('a profile is stored where only its user can read it, and is gone after it was removed', async () => {
    const profile = open();
    expect(await profile.read()).toBeUndefined();
    await profile.write(PROFILE);
    expect(await open().read()).toEqual(PROFILE);
    expect([await modeOf(profile.file), await modeOf(path.dirname(profile.file))]).toEqual(['600', '700']);
    expect(await readdir(path.dirname(profile.file))).toEqual(['default.json']);
    await profile.remove();
    expect(await profile.read()).toBeUndefined();
  });

  it.each([0o640, 0o604, 0o660, 0o602])('a profile is refused when its file has the mode %o', async (mode) => {
    const profile = open();
    await profile.write(PROFILE);
    await chmod(profile.file, mode);
    await expect(profile.read()).rejects.toMatchObject({ exitCode: 3, hint: expect.stringContaining('chmod 600') });
  });

  it.each(['', 'no JSON', '[]', '{"base_url":"https://phone.example"}'])(
    'a profile is refused when its file is damaged: %j',
    async (text) => {
      const profile = open();
      await profile.write(PROFILE);
      await writeFile(profile.file, text);
      await expect(profile.read()).rejects.toMatchObject({ exitCode: 2, hint: expect.stringContaining('rm ') });
    },
  );

  it.each(['', '..', '../other', 'a/b', '-x', 'a.b', 'ü'])('a profile cannot have the name %j', (name) => {
    expect(() => open(name)).toThrow('the name of a profile');
  });

  it('a profile has one secret to sign with, also when two programs need it first at once', async () => {
    const secrets = await Promise.all(Array.from({ length: 10 }, () => open().signingSecret()));
    expect(new Set(secrets).size).toBe(1);
    expect(secrets[0]).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(await open('other').signingSecret()).not.toBe(secrets[0]);
    expect(await modeOf(path.join(folder, 'parley/profiles/default.signing-secret'))).toBe('600');
  });

  it('a profile has a position for each company', async () => {
    await open().setPosition('https://phone.example com_1', 'c1');
    await open().setPosition('https://phone.example com_2', 'c2');
    await open().setPosition('https://phone.example com_1', 'c3');
    const positions = ['com_1', 'com_2', 'com_3'].map((id) => open().position(`https://phone.example ${id}`));
    expect(await Promise.all(positions)).toEqual(['c3', 'c2', undefined]);
  });
});

describe('a lock', () => {
  const counter = () => path.join(folder, 'counter');
  const lock = () => path.join(folder, 'locks/one.lock');

  it('a lock lets one process at a time work', async () => {
    await writeFile(counter(), '0');
    const modules = import.meta.dirname;
    const program = `
      import { readFile, writeFile } from 'node:fs/promises';
      import { withFileLock } from '${modules}/file-lock.ts';
      for (let n = 0; n < 20; n++)
        await withFileLock('${lock()}', async () => {
          const count = Number(await readFile('${counter()}', 'utf8'));
          await new Promise((resolve) => setTimeout(resolve, 1));
          await writeFile('${counter()}', String(count + 1));
        });
    `;
    const codes = Array.from({ length: 4 }, () => {
      const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'inherit' });
      return new Promise((resolve) => child.once('exit', resolve));
    });
    expect(await Promise.all(codes)).toEqual([0, 0, 0, 0]);
    expect(await readFile(counter(), 'utf8')).toBe('80');
  });

  it('a lock is free again after a failure', async () => {
    await expect(withFileLock(lock(), () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await withFileLock(lock(), () => Promise.resolve('done'))).toBe('done');
  });

  it.each([
    ['of a process that was killed', '4194400', 0],
    ['whose process died while it wrote its number', '', 10],
    ['that is older than any work takes', String(process.pid), 600],
  ])('a lock %s is taken over', async (_name, content, ageSecs) => {
    await withFileLock(lock(), () => Promise.resolve());
    await writeFile(lock(), content);
    const at = Date.now() / 1000 - ageSecs;
    await utimes(lock(), at, at);
    expect(await withFileLock(lock(), () => Promise.resolve('done'))).toBe('done');
  });
});
