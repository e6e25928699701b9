import { dan, deu, eng, fin, fra, ita, nld, nob, pol, por, spa, swe } from 'stopword';

/** Longer words are indexed by their prefix. */
const WORD_LENGTH_MAX = 32;
const WORDS_MAX = 3000;
/** Very short texts are similar to any short query. */
const CHUNK_LENGTH_MIN = 30;
const CHUNK_LENGTH_MAX = 400;
const CHUNKS_USUAL = 12;
const CHUNKS_MAX = 40;

/** The words of a text as they are found: lower case, without accents, each once. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = plain.match(/[\p{L}\p{N}]{2,}/gu) ?? [];
  return [...new Set(words.map((word) => word.slice(0, WORD_LENGTH_MAX)))].slice(0, WORDS_MAX);
}

/**
 * A text in pieces that each have one meaning for the embedding model, cut between sentences. Short ones are recognised
 * best, so a short text is split finely; a long one is not, to limit the size of the index.
 */
export function chunksOf(text: string): string[] {
  const length = Math.min(Math.max(text.length / CHUNKS_USUAL, CHUNK_LENGTH_MIN), CHUNK_LENGTH_MAX);
  const chunks: string[] = [];
  for (const sentence of text.split(/(?<=[.!?\n])\s+/).filter((part) => part.trim() !== '')) {
    const last = chunks.at(-1);
    if (last !== undefined && last.length < length && last.length + sentence.length < CHUNK_LENGTH_MAX)
      chunks[chunks.length - 1] = `${last} ${sentence}`;
    else chunks.push(sentence.slice(0, CHUNK_LENGTH_MAX * 2));
  }
  return chunks.slice(0, CHUNKS_MAX);
}

/** The languages that calls are mostly held in. */
const lists: readonly ReadonlySet<string>[] = [dan, deu, eng, fin, fra, ita, nld, nob, pol, por, spa, swe].map(
  (words) => new Set(wordsOf(words.join(' '))),
);

/**
 * The words of a query that say something. A word such as `for` is in most texts of its language; in another language
 * the same letters may be a name, so only the language counts that explains most of the query. A query of nothing but such
 * words is searched for them.
 */
export function withoutStopWords(words: readonly string[]): readonly string[] {
  const counts = lists.map((list) => words.filter((word) => list.has(word)).length);
  const most = Math.max(...counts);
  if (most === 0) return words;
  const spoken = lists.filter((_, index) => counts[index] === most);
  const telling = words.filter((word) => !spoken.some((list) => list.has(word)));
  return telling.length === 0 ? words : telling;
}

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
