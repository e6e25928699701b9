import { prefixPattern } from '@parley/search-terms';
import type { DocumentFilter, Entity, ScopedDocuments } from '@parley/aggregates';

/** An entity that is listed newest first and found by words. */
export interface Listed extends Entity {
  /** Absent in data of earlier versions. */
  readonly createdOrder?: number;
  readonly searchTerms?: readonly string[];
}

/** Newest first, as a list is read. */
export const NEWEST_FIRST = { createdOrder: -1 } as const;

/** The position of the last entity of a page. */
export interface ListPosition {
  readonly createdOrder: number;
  /** Items of the pages before that have this order: two processes may assign the same one. */
  readonly ids: readonly string[];
}

/** The documents of a list. */
export type ListedDocuments<State extends Listed> = Pick<ScopedDocuments<State>, 'find' | 'valuesOf'>;

/** The indexes of a list: of its order and of its terms. */
export interface ListIndexes {
  readonly newest: string;
  readonly search: string;
}

/** The newest after a position. */
export function newest<State extends Listed>(
  documents: ListedDocuments<State>,
  indexes: ListIndexes,
  limit: number,
  after?: ListPosition,
  words: readonly string[] = [],
): Promise<State[]> {
  const filter = { ...havingWords<State>(words), ...behind<State>(after) };
  return Array.fromAsync(documents.find(filter, NEWEST_FIRST, limit, indexes.newest));
}

/** Tells whether a document that was found otherwise has the words. The server compares strings much faster than it matches patterns. */
function havingWords<State extends Listed>(words: readonly string[]): DocumentFilter<State> {
  const all = words.map((word) => ({ searchTerms: { $elemMatch: { $gte: word, $lt: `${word}${LAST_CHARACTER}` } } }));
  return (all.length > 0 ? { $and: all } : {}) as unknown as DocumentFilter<State>;
}

function behind<State extends Listed>(after: ListPosition | undefined): DocumentFilter<State> {
  if (!after) return {};
  const filter = { createdOrder: { $lte: after.createdOrder }, id: { $nin: [...after.ids] } };
  return filter as unknown as DocumentFilter<State>;
}

/** Behind every other one in the order of the database. */
const LAST_CHARACTER = '\u{10FFFF}';
/** A word that fewer terms begin with is looked up by itself. */
const RARE_MAX = 1500;
/** Words that are tried for that. */
const TRIED_MAX = 3;
/** Items that are read with one query when some of them may not fit. */
const READ_AT_ONCE = 100;

/**
 * The newest after a position that have terms with every one of these beginnings. Of a rare word the index tells the places in the list,
 * without reading an item; those that other rare words have too are read, the newest first. Frequent words are found soon by
 * reading from the newest on.
 */
export async function searchNewest<State extends Listed>(
  documents: ListedDocuments<State>,
  indexes: ListIndexes,
  words: readonly string[],
  limit: number,
  after?: ListPosition,
): Promise<State[]> {
  const longestFirst = words.toSorted((a, b) => b.length - a.length);
  const placesOf = (word: string) =>
    documents.valuesOf('createdOrder', { searchTerms: prefixPattern(word) } as unknown as DocumentFilter<State>, {
      index: indexes.search,
      limit: RARE_MAX,
    });
  const tried = await Promise.all(longestFirst.slice(0, TRIED_MAX).map(placesOf));
  const rare = tried
    .filter((places) => places.length < RARE_MAX)
    .map((places) => new Set(places.filter((place) => place !== undefined)));
  const [first, ...others] = rare.toSorted((a, b) => a.size - b.size);
  if (!first) return newest(documents, indexes, limit, after, longestFirst);
  const places = [...first]
    .filter((place) => others.every((other) => other.has(place)) && (!after || place <= after.createdOrder))
    .toSorted((a, b) => b - a);
  const found: State[] = [];
  for (let from = 0, size = limit; from < places.length && found.length < limit; from += size, size = READ_AT_ONCE) {
    const some = { createdOrder: { $in: places.slice(from, from + size) } };
    const all = [some, behind(after), havingWords(longestFirst)];
    const matching = { $and: all } as unknown as DocumentFilter<State>;
    found.push(...(await Array.fromAsync(documents.find(matching, NEWEST_FIRST, undefined, indexes.newest))));
  }
  return found.slice(0, limit);
}

/** Every word must be the prefix of a term. */
export function matchesSearch(terms: readonly string[], words: readonly string[]): boolean {
  return words.length > 0 && words.every((word) => terms.some((term) => term.startsWith(word)));
}

function orderOf({ createdOrder = 0 }: Listed): number {
  return createdOrder;
}

/** The position at which the next page begins; `before` is that of this page. */
export function endOfPage(page: readonly Listed[], before: ListPosition | undefined): ListPosition | undefined {
  const last = page.at(-1);
  if (!last) return undefined;
  const createdOrder = orderOf(last);
  const ids = page.filter((item) => orderOf(item) === createdOrder).map(({ id }) => id);
  return { createdOrder, ids: before?.createdOrder === createdOrder ? [...before.ids, ...ids] : ids };
}
