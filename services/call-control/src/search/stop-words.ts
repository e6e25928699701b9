import { dan, deu, eng, fin, fra, ita, nld, nob, pol, por, spa, swe } from 'stopword';
import { wordsOf } from './search-terms.ts';

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
