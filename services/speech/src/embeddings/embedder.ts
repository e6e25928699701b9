/** Texts as points in a space where near means alike. */
export interface Embeddings {
  /** One for each text, in order; each of length one. */
  readonly vectors: readonly Float32Array[];
  /** Vectors of different models cannot be compared. */
  readonly model: string;
}

/** Sentence embeddings: the model of this machine, or an endpoint elsewhere. */
export interface Embedder {
  embed(texts: readonly string[], signal: AbortSignal): Promise<Embeddings>;
  /** Whether texts of this language mean something to the model. */
  understands(language: string): boolean;
}
