import { z } from 'zod';
import type { Endpoint } from '../remote/endpoint.ts';
import type { Embedder } from './embedder.ts';

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
