/** The rarity of a word among `total` calls; it is highest for a word that no call has. */
function rarity(found: number, total: number): number {
  return Math.log(1 + Math.max(total, found, 1) / Math.max(found, 0.5));
}

/**
 * The share of the query's words that each call has, from 0 to 1, each word weighted by its rarity. `matches` has the calls that
 * each word finds, newest first. Newest first among equals.
 */
export function coverageByWords(matches: readonly (readonly string[])[], total: number): ReadonlyMap<string, number> {
  const weights = matches.map((ids) => rarity(ids.length, total));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const scores = new Map<string, number>();
  matches.forEach((ids, index) => {
    for (const id of ids) scores.set(id, (scores.get(id) ?? 0) + weights[index]! / whole);
  });
  return scores;
}

/**
 * One ranking of what was found by words and by meaning. A call with all words of the query comes before every call with none,
 * whose similarity is at most 1. With a part of them it is helped less than proportionally, so that one word
 * of several does not outrank the same meaning in other words.
 */
export function rankCalls(coverage: ReadonlyMap<string, number>, similarity: ReadonlyMap<string, number>): string[] {
  const scores = new Map<string, number>();
  for (const [id, share] of coverage) scores.set(id, share * share);
  for (const [id, likeness] of similarity) scores.set(id, (scores.get(id) ?? 0) + likeness);
  return [...scores].sort(([, a], [, b]) => b - a).map(([id]) => id);
}
