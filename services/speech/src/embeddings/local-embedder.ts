import type { WorkerPool } from '../workers/worker-pool.ts';
import type { Embedder } from './embedder.ts';

/** Small, so that a job of another company waits for a moment only. */
const BATCH = 16;
const BATCH_LIMIT_MS = 90_000;

/** all-MiniLM-L6-v2 on this machine. It was trained on English and means little in other languages. */
export function localEmbedder(miniLm: WorkerPool<readonly string[], readonly Float32Array[]>): Embedder {
  return {
    understands: (language) => /^en\b/i.test(language),
    async embed(texts, context) {
      const vectors: Float32Array[] = [];
      for (let start = 0; start < texts.length; start += BATCH) {
        vectors.push(...(await miniLm.run(texts.slice(start, start + BATCH), BATCH_LIMIT_MS, context)));
      }
      return { vectors, model: 'all-MiniLM-L6-v2-q8' };
    },
  };
}
