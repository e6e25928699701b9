import type { JobContext } from '../workers/job-context.ts';

/** Embedding vectors: similar texts have near vectors. */
export interface Embeddings {
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
