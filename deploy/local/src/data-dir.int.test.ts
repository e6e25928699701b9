import { mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { scratchDir } from '@parley/testkit';
import { type DataDir, openDataDir } from './data-dir.ts';

let scratch: Awaited<ReturnType<typeof scratchDir>>;
let opened: DataDir[];

beforeEach(async () => {
  scratch = await scratchDir();
  opened = [];
});

afterEach(async () => {
  await Promise.all(opened.map((dataDir) => dataDir.release()));
  await scratch.remove();
});

async function open(name = 'data'): Promise<DataDir> {
  const dataDir = await openDataDir(path.join(scratch.path, name));
  opened.push(dataDir);
  return dataDir;
}

const exists = (file: string) => stat(file).then(Boolean, () => false);

describe('the data directory', () => {
  it('the data directory keeps what is written for its owner alone', async () => {
    const dataDir = await open();
    await dataDir.write('secrets.json', { a: 1 });
    expect(await dataDir.read('secrets.json')).toEqual({ a: 1 });
    expect((await stat(path.join(dataDir.path, 'secrets.json'))).mode & 0o777).toBe(0o600);
    expect((await stat(dataDir.path)).mode & 0o777).toBe(0o700);
    expect(await dataDir.read('other.json')).toBeUndefined();
  });

  it('the data directory may lie in folders that are not there yet', async () => {
    const dataDir = await open('some/where/data');
    await dataDir.write('a.json', 1);
    expect(await dataDir.read('a.json')).toBe(1);
  });

  it('the data directory names a file that is not JSON', async () => {
    const dataDir = await open();
    await writeFile(path.join(dataDir.path, 'secrets.json'), '{');
    await expect(dataDir.read('secrets.json')).rejects.toThrow(/secrets\.json cannot be read: .*JSON/);
  });

  it('the data directory lets one stack in at a time', async () => {
    const first = await open();
    await expect(open()).rejects.toThrow(/data is in use by another stack$/);
    await open('elsewhere');
    opened = opened.filter((dataDir) => dataDir !== first);
    await first.release();
    await open();
  });

  it('the data directory reports that it cannot be written', async () => {
    await writeFile(path.join(scratch.path, 'file'), '');
    await expect(open('file/data')).rejects.toThrow(/file\/data cannot be written: ENOTDIR/);
    await expect(open('file')).rejects.toThrow(/file cannot be written: ENOTDIR/);
    await expect(openDataDir('/proc/parley')).rejects.toThrow('/proc/parley cannot be written: ENOENT');
  });

  it('the data directory clears away the sockets of a stack that was killed', async () => {
    const first = await open();
    expect(first.afterKill).toBe(false);
    const remembered = await first.read('sockets.json');
    await first.release();
    opened = [];
    expect(await exists(first.socketDir)).toBe(false);
    await mkdir(first.socketDir);
    await writeFile(path.join(first.path, 'sockets.json'), JSON.stringify(remembered));

    const second = await open();
    expect(second.afterKill).toBe(true);
    expect(await exists(first.socketDir)).toBe(false);
    expect(await exists(second.socketDir)).toBe(true);
  });
});
