import { z } from 'zod';
import type { JobContext } from '../workers/serve-jobs.ts';
import type { Endpoint } from '../remote/endpoint.ts';
import type { WorkerPool } from '../workers/worker-pool.ts';

/** Embedding vectors: similar texts have near vectors. */
interface Embeddings {
  /** One for each text, in order; each of length one. */
  readonly vectors: readonly Float32Array[];
  /** Vectors of different models cannot be compared. */
  readonly model: string;
}

/** Sentence embeddings: a local model or a remote endpoint. */
export interface Embedder {
  embed(texts: readonly string[], context: JobContext): Promise<Embeddings>;
  /** True when the model was trained with texts of this language. */
  understands(language: string): boolean;
}

const answerJson = z.object({
  data: z.array(z.object({ index: z.int().nonnegative(), embedding: z.array(z.number()).min(1) })),
});

/** `POST /embeddings`. */
export function remoteEmbedder({ endpoint, model }: { endpoint: Endpoint; model: string }): Embedder {
  return {
    understands: () => true,
    async embed(texts, { signal }) {
      if (texts.length === 0) return { vectors: [], model };
      const { data } = answerJson.parse(await endpoint.postForJson('/embeddings', { model, input: texts }, signal));
      const vectors = data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => unit(embedding));
      if (vectors.length !== texts.length) throw new Error(`${vectors.length} embeddings for ${texts.length} texts`);
      return { vectors, model };
    },
  };
}

/** Not every endpoint returns unit vectors, which comparisons rely on. */
function unit(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values) || 1;
  return Float32Array.from(values, (value) => value / length);
}

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
