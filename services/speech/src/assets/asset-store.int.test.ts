import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { movableClock } from '@parley/clock';
import { createLog } from '@parley/telemetry';
import { scratchDir } from '@parley/testkit';
import { create } from 'tar';
import type { Asset } from './asset.ts';
import { openAssetStore, AssetMissing } from './asset-store.ts';

const log = createLog({ service: 'test', level: 'silent' });
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const asset: Asset = {
  name: 'voice-1.0.0',
  licence: 'MIT',
  downloadMegabytes: 1,
  sources: [
    { package: '@example/voice', version: '1.0.0', files: { 'assets/model.bin': sha256('the model') } },
    { package: 'runtime', version: '2.0.0', into: 'node_modules/runtime', files: { 'index.js': sha256('run') } },
  ],
};

let scratch: Awaited<ReturnType<typeof scratchDir>>;
beforeEach(async () => void (scratch = await scratchDir()));
afterEach(() => scratch.remove());

/** A registry with the given packages; `down` makes it unreachable. */
function aRegistry() {
  const registry = {
    down: false,
    requested: [] as string[],
    folders: [] as string[],
    files: {
      '@example/voice@1.0.0': { 'assets/model.bin': 'the model', 'README.md': 'not wanted' },
      'runtime@2.0.0': { 'index.js': 'run' },
    } as Record<string, Record<string, string>>,
    async fetchPack(spec: string, folder: string) {
      registry.requested.push(spec);
      registry.folders.push(folder);
      if (registry.down) throw new Error('ECONNREFUSED');
      const source = await mkdtemp(path.join(scratch.path, 'source-'));
      for (const [file, text] of Object.entries(registry.files[spec]!)) {
        await mkdir(path.dirname(path.join(source, 'package', file)), { recursive: true });
        await writeFile(path.join(source, 'package', file), text);
      }
      const file = path.join(folder, 'pack.tgz');
      await create({ gzip: true, file, cwd: source }, ['package']);
      return file;
    },
  };
  return registry;
}

function aStore(registry = aRegistry(), clock = movableClock()) {
  const folder = path.join(scratch.path, 'models');
  return { store: openAssetStore({ folder, log, fetchPack: registry.fetchPack, clock }), registry, folder, clock };
}

const read = (folder: string, file: string) => readFile(path.join(folder, file), 'utf8');

describe('an asset', () => {
  it('an asset is fetched when it is first needed, completely and without unneeded files', async () => {
    const { store, registry, folder } = aStore();
    const assetDir = await store.ensure(asset);
    expect(assetDir).toBe(path.join(folder, 'voice-1.0.0'));
    expect(await read(assetDir, 'assets/model.bin')).toBe('the model');
    expect(await read(assetDir, 'node_modules/runtime/index.js')).toBe('run');
    expect((await readdir(assetDir)).toSorted()).toEqual(['assets', 'node_modules']);
    expect(await readdir(folder)).toEqual(['voice-1.0.0']);
    expect(registry.requested).toEqual(['@example/voice@1.0.0', 'runtime@2.0.0']);
  });

  it('an asset is fetched into a folder that is given relative to the working directory', async () => {
    const { registry, folder } = aStore();
    const store = openAssetStore({ folder: path.relative(process.cwd(), folder), log, fetchPack: registry.fetchPack });
    expect(await store.ensure(asset)).toBe(path.join(folder, 'voice-1.0.0'));
    for (const given of registry.folders) expect(path.isAbsolute(given)).toBe(true);
  });

  it('an asset is fetched once for concurrent requests, and not again later', async () => {
    const { store, registry, folder } = aStore();
    await Promise.all([store.ensure(asset), store.ensure(asset)]);
    await openAssetStore({ folder, log, fetchPack: registry.fetchPack }).ensure(asset);
    expect(registry.requested).toHaveLength(2);
  });

  it('an asset is there for both of two services that start at the same time on an empty folder', async () => {
    const [one, other] = [aStore(), aStore()];
    const assetDirs = await Promise.all([one.store.ensure(asset), other.store.ensure(asset)]);
    expect(assetDirs[0]).toBe(assetDirs[1]);
    expect(await read(assetDirs[0]!, 'assets/model.bin')).toBe('the model');
    expect(await readdir(one.folder)).toEqual(['voice-1.0.0']);
  });

  it('an asset is not used when a file of it was changed, but fetched again', async () => {
    const { store, registry, folder } = aStore();
    const assetDir = await store.ensure(asset);
    await writeFile(path.join(assetDir, 'assets/model.bin'), 'the modeL');
    store.verifyAgain(asset);
    await store.ensure(asset);
    expect(await read(assetDir, 'assets/model.bin')).toBe('the model');
    expect(registry.requested).toHaveLength(4);
    expect(await readdir(folder)).toEqual(['voice-1.0.0']);
  });

  it('an asset is refused when the registry sends something else than was pinned', async () => {
    const { store, registry, folder } = aStore();
    registry.files['@example/voice@1.0.0']!['assets/model.bin'] = 'something else';
    await expect(store.ensure(asset)).rejects.toThrow(/not what was pinned: assets\/model.bin/);
    expect(await readdir(folder)).toEqual([]);
  });

  it('an asset has a file that is made from a downloaded one instead of it, and is refused when that became another', async () => {
    const { store, registry, folder } = aStore();
    const make = async (from: string, to: string) => writeFile(to, (await readFile(from, 'utf8')).slice(0, 3));
    const smaller: Asset = { ...asset, made: { from: 'assets/model.bin', file: 'small', sha256: sha256('the'), make } };
    const assetDir = await store.ensure(smaller);
    expect(await read(assetDir, 'small')).toBe('the');
    expect(await readdir(path.join(assetDir, 'assets'))).toEqual([]);
    await openAssetStore({ folder, log, fetchPack: registry.fetchPack }).ensure(smaller);
    expect(registry.requested).toHaveLength(2);
    const another: Asset = { ...smaller, name: 'another', made: { ...smaller.made!, sha256: sha256('The') } };
    await expect(store.ensure(another)).rejects.toThrow(/made of assets\/model.bin is not what was pinned: small/);
    expect(await readdir(folder)).toEqual(['voice-1.0.0']);
  });

  it('an asset needs no registry where the folder was filled manually', async () => {
    const { store, registry, folder } = aStore();
    registry.down = true;
    for (const [file, text] of [
      ['assets/model.bin', 'the model'],
      ['node_modules/runtime/index.js', 'run'],
    ] as const) {
      const assetDir = path.join(folder, 'voice-1.0.0', file);
      await mkdir(path.dirname(assetDir), { recursive: true });
      await writeFile(assetDir, text);
    }
    await expect(store.ensure(asset)).resolves.toBe(path.join(folder, 'voice-1.0.0'));
    expect(registry.requested).toEqual([]);
  });

  it('an asset fails with a clear error while the registry is unreachable, retries at intervals, and succeeds later', async () => {
    const { store, registry, folder, clock } = aStore();
    registry.down = true;
    const missing = store.ensure(asset);
    await expect(missing).rejects.toBeInstanceOf(AssetMissing);
    await expect(missing).rejects.toThrow(`voice-1.0.0 could not be fetched and is not in ${folder}: ECONNREFUSED`);
    registry.down = false;
    await expect(store.ensure(asset)).rejects.toBeInstanceOf(AssetMissing);
    expect(registry.requested).toHaveLength(1);
    clock.setOffsetMs(20_000);
    await expect(store.ensure(asset)).resolves.toBe(path.join(folder, 'voice-1.0.0'));
  });

  it('an asset leaves nothing of a fetch that was interrupted by a crash a day ago', async () => {
    const { store, folder, clock } = aStore();
    await mkdir(path.join(folder, '.fetching-old'), { recursive: true });
    clock.setOffsetMs(25 * 60 * 60_000);
    await store.ensure(asset);
    expect(await readdir(folder)).toEqual(['voice-1.0.0']);
  });
});
