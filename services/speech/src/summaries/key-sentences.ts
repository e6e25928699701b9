import { vectorSimilarity, wordSimilarity } from './similarity.ts';
import { rankByLinks } from './rank-by-links.ts';

export interface KeySentencesInput {
  readonly sentences: readonly string[];
  /** Their embeddings; without them words are compared. */
  readonly vectors?: readonly Float32Array[] | undefined;
  readonly language: string;
  readonly count: number;
}

/** Greetings and thanks are central to every conversation, but not informative. */
const WORDS_MIN = 5;
/** Relevance against novelty: lower takes more different sentences. */
const RELEVANCE = 0.7;

/** The indexes of the key sentences, in their order: LexRank, then maximal marginal relevance. */
export function keySentences({ sentences, vectors, language, count }: KeySentencesInput): number[] {
  const meaningful = sentences.flatMap((sentence, i) => (sentence.split(/\s+/).length >= WORDS_MIN ? [i] : []));
  const candidates = meaningful.length >= count ? meaningful : sentences.map((_, i) => i);
  const likeness = vectors
    ? vectorSimilarity(candidates.map((i) => vectors[i]!))
    : wordSimilarity(
        candidates.map((i) => sentences[i]!),
        language,
      );
  const rank = rankByLinks(likeness);
  const best = Math.max(...rank, Number.EPSILON);
  const chosen: number[] = [];
  const left = new Set(candidates.keys());
  while (chosen.length < count && left.size > 0) {
    const gain = (i: number) =>
      (RELEVANCE * rank[i]!) / best - (1 - RELEVANCE) * Math.max(0, ...chosen.map((j) => likeness[i]![j]!));
    const next = [...left].reduce((a, b) => (gain(b) > gain(a) ? b : a));
    chosen.push(next);
    left.delete(next);
  }
  return chosen.map((i) => candidates[i]!).toSorted((a, b) => a - b);
}
