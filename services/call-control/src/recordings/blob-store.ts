import { type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Db, GridFSBucket, MongoServerError } from 'mongodb';

/** `exists` when there was a blob of that name, which stays. */
export type Written = 'written' | 'exists';

/** Audio by name. A name is written once, also when several write it at the same time. */
export interface Blobs {
  /** Stores all of `content`, which has `sizeBytes`; resolves when it is safely stored. */
  write(name: string, content: Readable, sizeBytes: number): Promise<Written>;
  /** Undefined when there is none. `end` is exclusive. */
  read(name: string, range?: { start: number; end: number }): Promise<Readable | undefined>;
  size(name: string): Promise<number | undefined>;
  /** Those of the names that have a blob. */
  existing(names: readonly string[]): Promise<ReadonlySet<string>>;
  remove(name: string): Promise<void>;
}

/** Blobs in MongoDB. Of a name there is the one that was completed first. */
export async function openBlobs(db: Db, bucketName: string): Promise<Blobs> {
  const bucket = new GridFSBucket(db, { bucketName });
  const find = async (name: string) => (await bucket.find({ filename: name }).limit(1).toArray())[0];
  await db.collection(`${bucketName}.files`).createIndex({ filename: 1, uploadDate: 1 });
  await db
    .collection(`${bucketName}.files`)
    .createIndex({ filename: 1 }, { unique: true, partialFilterExpression: { 'metadata.once': true } });
  await db.collection(`${bucketName}.chunks`).createIndex({ files_id: 1, n: 1 }, { unique: true });
  return {
    async write(name, content) {
      if (await find(name)) {
        content.destroy();
        return 'exists';
      }
      const upload = bucket.openUploadStream(name, { metadata: { once: true } });
      try {
        await pipeline(content, upload);
        return 'written';
      } catch (error) {
        await upload.abort().catch(() => {});
        if (isDuplicate(error)) return 'exists';
        throw error;
      }
    },
    async read(name, range) {
      const file = await find(name);
      if (!file) return undefined;
      const stream = bucket.openDownloadStream(file._id, range);
      stream.on('error', () => {});
      return stream;
    },
    size: async (name) => (await find(name))?.length,
    async existing(names) {
      if (names.length === 0) return new Set();
      const found = bucket.find({ filename: { $in: [...names] } }, { projection: { filename: 1 } });
      return new Set((await found.toArray()).map(({ filename }) => filename));
    },
    async remove(name) {
      const file = await find(name);
      if (file) await bucket.delete(file._id);
    },
  };
}

function isDuplicate(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === 11_000;
}
