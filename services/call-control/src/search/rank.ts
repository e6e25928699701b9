/** Ranks beyond the first few differ little: the usual constant of reciprocal rank fusion. */
const FUSION_CONSTANT = 60;

/** Reciprocal rank fusion: one ranking from several. */
export function fuseRankings(rankings: readonly (readonly string[])[]): string[] {
  const scores = new Map<string, number>();
  for (const ranking of rankings)
    ranking.forEach((id, index) => scores.set(id, (scores.get(id) ?? 0) + 1 / (FUSION_CONSTANT + index + 1)));
  return [...scores].sort(([, a], [, b]) => b - a).map(([id]) => id);
}

/** By the number of matching words, weighted by rarity; newest first among equals. */
export function rankByWords(matches: ReadonlyMap<string, readonly string[]>, total: number): string[] {
  const scores = new Map<string, number>();
  for (const ids of matches.values()) {
    const weight = Math.log(1 + Math.max(total, ids.length) / ids.length);
    for (const id of ids) scores.set(id, (scores.get(id) ?? 0) + weight);
  }
  return [...scores].sort(([, a], [, b]) => b - a).map(([id]) => id);
}
