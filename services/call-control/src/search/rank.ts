/** Ranks beyond the first few differ little: the usual constant of reciprocal rank fusion. */
const FUSION_CONSTANT = 60;

/** One order from several: what stands high in any of them stands high, and higher if it stands in more. */
export function fuseRankings(rankings: readonly (readonly string[])[]): string[] {
  const scores = new Map<string, number>();
  for (const ranking of rankings)
    ranking.forEach((id, index) => scores.set(id, (scores.get(id) ?? 0) + 1 / (FUSION_CONSTANT + index + 1)));
  return [...scores].sort(([, a], [, b]) => b - a).map(([id]) => id);
}

/** By how many of the words a call has, rare words counting more; newest first among equals. */
export function rankByWords(matches: ReadonlyMap<string, readonly string[]>, total: number): string[] {
  const scores = new Map<string, number>();
  for (const ids of matches.values()) {
    const weight = Math.log(1 + Math.max(total, ids.length) / ids.length);
    for (const id of ids) scores.set(id, (scores.get(id) ?? 0) + weight);
  }
  return [...scores].sort(([, a], [, b]) => b - a).map(([id]) => id);
}
