import { newId } from '@parley/ids';
import { QUERY_TIME_MAX_MS, whileUnreachable } from '@parley/store';
import { Binary, type Db } from 'mongodb';

interface ChunkDocument {
  _id: string;
  data: Binary;
}

/** Bytes of any length, in pieces far below what one document may hold. */
export interface AudioChunks {
  newBlobId(): string;
  write(blobId: string, bytes: Uint8Array): Promise<void>;
  /** From `start` up to, not including, `end`. */
  read(blobId: string, start: number, end: number): AsyncIterable<Uint8Array>;
  remove(blobId: string): Promise<void>;
}

const CHUNK_BYTES = 256 * 1024;

export function openAudioChunks(db: Db): AudioChunks {
  const collection = db.collection<ChunkDocument>('prompt_audio_chunks');
  const name = (blobId: string, index: number) => `${blobId}/${index}`;
  return {
    newBlobId: () => newId('blob'),
    async write(blobId, bytes) {
      for (let index = 0; index * CHUNK_BYTES < bytes.length; index++) {
        const data = new Binary(bytes.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES));
        await whileUnreachable(() => collection.replaceOne({ _id: name(blobId, index) }, { data }, { upsert: true }));
      }
    },
    async *read(blobId, start, end) {
      for (let at = start; at < end;) {
        const index = Math.floor(at / CHUNK_BYTES);
        const chunk = await whileUnreachable(() =>
          collection.findOne({ _id: name(blobId, index) }, { maxTimeMS: QUERY_TIME_MAX_MS }),
        );
        if (!chunk) throw new Error('audio ended before its end');
        const from = index * CHUNK_BYTES;
        yield chunk.data.buffer.subarray(at - from, Math.min(end - from, CHUNK_BYTES));
        at = from + CHUNK_BYTES;
      }
    },
    async remove(blobId) {
      // '0' follows '/': everything whose name begins with the blob's.
      await whileUnreachable(() => collection.deleteMany({ _id: { $gte: `${blobId}/`, $lt: `${blobId}0` } }));
    },
  };
}
