import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Db, GridFSBucket, ObjectId } from 'mongodb';

/** Audio files of any length, in GridFS. */
export type AudioFiles = ReturnType<typeof openAudioFiles>;

const CHUNK_BYTES = 256 * 1024;

export function openAudioFiles(db: Db) {
  const bucket = new GridFSBucket(db, { bucketName: 'prompt_files', chunkSizeBytes: CHUNK_BYTES });

  /** Also removes what an interrupted write has left. */
  async function remove(id: string): Promise<void> {
    await bucket.delete(new ObjectId(id)).catch((error: unknown) => {
      // The driver removes the chunks first, and then throws if the file does not exist.
      if (!(error instanceof Error && error.message.startsWith('File not found'))) throw error;
    });
  }

  return {
    newId: () => new ObjectId().toHexString(),
    async write(id: string, bytes: Uint8Array): Promise<void> {
      await remove(id);
      await pipeline(Readable.from([bytes]), bucket.openUploadStreamWithId(new ObjectId(id), id));
    },
    /** `end` is exclusive. */
    async *read(id: string, start: number, end: number): AsyncIterable<Uint8Array> {
      if (start < end) yield* bucket.openDownloadStream(new ObjectId(id), { start, end }) as AsyncIterable<Buffer>;
    },
    remove,
  };
}
