import { fileSealer } from '@parley/secrets';
import type { Db } from 'mongodb';
import { type Blobs, openBlobs } from './blob-store.ts';
import { encryptedBlobs } from './encrypted-blobs.ts';
import { type RecordingSigner, recordingSigner } from './recording-signer.ts';
import { type S3Bucket, s3Blobs } from './s3-blob-store.ts';

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
    async remove(name) {
      await first.remove(name);
      await second.remove(name);
    },
  };
}
