import { type SimilarityMatrix, vectorSimilarity, wordSimilarity } from './similarity.ts';
import { segments } from '../text/segments.ts';

interface KeySentencesInput {
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

const DAMPING = 0.85;
const ROUNDS = 40;
/** Weaker likeness is chance. */
const LINK_MIN = 0.1;

/** PageRank over similarity: a sentence is central when it is similar to central sentences (Erkan and Radev, 2004). */
export function rankByLinks(likeness: SimilarityMatrix): number[] {
  const count = likeness.length;
  const links = likeness.map((row, i) => row.map((value, j) => (i !== j && value >= LINK_MIN ? value : 0)));
  const totals = links.map((row) => row.reduce((sum, value) => sum + value, 0));
  let rank: number[] = Array.from({ length: count }, () => 1 / count);
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = Array.from({ length: count }, () => (1 - DAMPING) / count);
    links.forEach((row, i) => {
      if (totals[i] === 0) return;
      const share = (DAMPING * rank[i]!) / totals[i]!;
      for (let j = 0; j < count; j += 1) next[j]! += share * row[j]!;
    });
    rank = next;
  }
  return rank;
}

/** Ranking grows with the square of the sentences; a call of two hours has about as many. */
const SENTENCES_MAX = 1200;

/** The sentences of a transcript; a passage without a full stop is one sentence. */
export function sentencesOf({ passages, language }: { passages: readonly string[]; language: string }): string[] {
  return passages
    .flatMap((passage) => passage.split(/\n+/))
    .flatMap((line) => segments(line, language, 'sentence'))
    .slice(0, SENTENCES_MAX);
}
