import { pipeline, type Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fileSealer, type FileSealer, type SealedFile } from '@parley/secrets';
import type { Db } from 'mongodb';
import { type Blobs, openBlobs } from './blob-store.ts';
import { type RecordingSigner, recordingSigner } from './recording-file.ts';
import { s3Blobs, type S3Bucket } from './s3-blob-store.ts';

/** Recordings are encrypted before they are stored, in a bucket if there is one; those stored in MongoDB stay readable. */
export async function openRecordings(
  db: Db,
  settings: { keys: readonly string[]; bucket: S3Bucket | null; publicUrl: string },
): Promise<{ blobs: Blobs; signer: RecordingSigner }> {
  const { keys, bucket, publicUrl } = settings;
  const inDatabase = await openBlobs(db, 'recordings');
  const stored = bucket ? layeredBlobs(s3Blobs(bucket), inDatabase) : inDatabase;
  return { blobs: encryptedBlobs(stored, fileSealer(keys)), signer: recordingSigner(keys, publicUrl) };
}

/** Blobs are written to the first store; those that were written before it was configured are read from the second. */
export function layeredBlobs(first: Blobs, second: Blobs): Blobs {
  return {
    write: (name, content, sizeBytes) => first.write(name, content, sizeBytes),
    read: async (name, range) => (await first.read(name, range)) ?? second.read(name, range),
    size: async (name) => (await first.size(name)) ?? second.size(name),
    async existing(names) {
      const inFirst = await first.existing(names);
      return inFirst.union(await second.existing(names.filter((name) => !inFirst.has(name))));
    },
    async remove(name) {
      await first.remove(name);
      await second.remove(name);
    },
  };
}

/**
 * Blobs that are encrypted in their store, each bound to its name. Those that were stored before encryption are read as
 * they are: they may be many gigabytes, which no start can rewrite. Nothing is held in memory but a block.
 */
export function encryptedBlobs(stored: Blobs, sealer: FileSealer): Blobs {
  const contextOf = (name: string) => `recording/${name}`;

  /** Undefined when there is none; `file` is undefined when it is not encrypted. */
  async function look(name: string): Promise<{ sizeBytes: number; file: SealedFile | undefined } | undefined> {
    const sizeBytes = await stored.size(name);
    if (sizeBytes === undefined) return undefined;
    const header = await stored.read(name, { start: 0, end: Math.min(sealer.headerBytes, sizeBytes) });
    if (!header) return undefined;
    const file = sealer.read(await buffer(header), sizeBytes, contextOf(name));
    return { sizeBytes: file?.sizeBytes ?? sizeBytes, file };
  }

  return {
    async write(name, content, sizeBytes) {
      return stored.write(name, piped(content, sealer.seal(contextOf(name))), sealer.sealedSize(sizeBytes));
    },
    async read(name, range) {
      const found = await look(name);
      if (!found) return undefined;
      const { file } = found;
      if (!file) return stored.read(name, range);
      const { start, end } = range ?? { start: 0, end: file.sizeBytes };
      const wanted = { start, end: Math.min(end, file.sizeBytes) };
      const sealed = await stored.read(name, file.sealedRange(wanted));
      return sealed && piped(sealed, file.open(wanted));
    },
    size: async (name) => (await look(name))?.sizeBytes,
    existing: (names) => stored.existing(names),
    remove: (name) => stored.remove(name),
  };
}

/** An error of either side, and a reader that goes away, end both. */
function piped<Through extends NodeJS.ReadWriteStream & Readable>(from: Readable, through: Through): Readable {
  pipeline(from, through, () => {});
  return through;
}
