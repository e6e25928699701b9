import type { SimilarityMatrix } from './similarity.ts';

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
