import { type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Db, GridFSBucket } from 'mongodb';

/** Audio by name. A name is written once: writing it again does not affect readers. */
export interface Blobs {
  /** Stores all of `content`, which has `sizeBytes`; resolves when it is safely stored. */
  write(name: string, content: Readable, sizeBytes: number): Promise<void>;
  /** Undefined when there is none. `end` is exclusive. */
  read(name: string, range?: { start: number; end: number }): Promise<Readable | undefined>;
  size(name: string): Promise<number | undefined>;
  remove(name: string): Promise<void>;
}

/** Blobs in MongoDB. The last complete one of a name counts; those before it are removed. */
export async function openBlobs(db: Db, bucketName: string): Promise<Blobs> {
  const bucket = new GridFSBucket(db, { bucketName });
  const latest = async (name: string) => {
    const [file] = await bucket.find({ filename: name }).sort({ uploadDate: -1 }).limit(1).toArray();
    return file;
  };
  await db.collection(`${bucketName}.files`).createIndex({ filename: 1, uploadDate: 1 });
  await db.collection(`${bucketName}.chunks`).createIndex({ files_id: 1, n: 1 }, { unique: true });
  return {
    async write(name, content) {
      const upload = bucket.openUploadStream(name);
      try {
        await pipeline(content, upload);
      } catch (error) {
        await upload.abort().catch(() => {});
        throw error;
      }
      const older = await bucket.find({ filename: name, _id: { $ne: upload.id } }).toArray();
      for (const { _id } of older) await bucket.delete(_id).catch(() => {});
    },
    async read(name, range) {
      const file = await latest(name);
      if (!file) return undefined;
      const stream = bucket.openDownloadStream(file._id, range);
      stream.on('error', () => {});
      return stream;
    },
    size: async (name) => (await latest(name))?.length,
    async remove(name) {
      for (const { _id } of await bucket.find({ filename: name }).toArray()) await bucket.delete(_id);
    },
  };
}
