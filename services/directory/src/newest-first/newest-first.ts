import { prefixPattern } from '@parley/text';
import type { DocumentFilter, Entity, ScopedDocuments } from '@parley/aggregates';

/** An entity that is listed newest first and found by words. */
export interface Listed extends Entity {
  readonly createdOrder: number;
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
/** Items that are read to find a page of a frequent word; more cost more than looking up its places. */
const NEWEST_MAX = 2000;
/** Places of a frequent word that are looked up at most. */
const FREQUENT_MAX = 20_000;

/** The place behind which a list is not read for a frequent word; undefined in a list that is shorter. */
export async function placeOfOlder<State extends Listed>(
  documents: ListedDocuments<State>,
  indexes: ListIndexes,
): Promise<number | undefined> {
  const places = await documents.valuesOf('createdOrder', {}, { index: indexes.newest, limit: NEWEST_MAX });
  return places.length < NEWEST_MAX ? undefined : places.at(-1);
}

/**
 * The newest after a position that have terms with every one of these beginnings. Of a rare word the index tells the places in the list,
 * without reading an item; those that other rare words have too are read, the newest first. Frequent words are found soon by
 * reading from the newest on. If what the index told of a single one is old, as that of many items that were imported together, its places
 * are looked up as well. `older`: see `placeOfOlder`; one of a minute ago will do.
 */
export async function searchNewest<State extends Listed>(
  documents: ListedDocuments<State>,
  indexes: ListIndexes,
  words: readonly string[],
  limit: number,
  after?: ListPosition,
  older?: () => Promise<number | undefined>,
): Promise<State[]> {
  const longestFirst = words.toSorted((a, b) => b.length - a.length);
  const placesOf = (word: string, most: number) =>
    documents.valuesOf('createdOrder', { searchTerms: prefixPattern(word) } as unknown as DocumentFilter<State>, {
      index: indexes.search,
      limit: most,
    });
  const tried = await Promise.all(longestFirst.slice(0, TRIED_MAX).map((word) => placesOf(word, RARE_MAX)));
  const rare = tried.filter((places) => places.length < RARE_MAX).map((places) => new Set(places));
  const [first, ...others] = rare.toSorted((a, b) => a.size - b.size);
  const readAt = (places: Iterable<number>) =>
    atPlaces(documents, indexes, places, { words: longestFirst, limit, after });
  if (first) return readAt([...first].filter((place) => others.every((other) => other.has(place))));
  // What follows a page is near it.
  if (older && !after && longestFirst.length === 1) {
    const sampled = newestPlaces(tried[0] ?? [])[limit - 1] ?? 0;
    if (sampled < ((await older()) ?? 0)) {
      const places = await placesOf(longestFirst[0]!, FREQUENT_MAX);
      if (places.length < FREQUENT_MAX) return readAt(new Set(newestPlaces(places)));
    }
  }
  return newest(documents, indexes, limit, after, longestFirst);
}

const newestPlaces = (places: Iterable<number>): number[] => [...places].toSorted((a, b) => b - a);

/** The newest at these places of the list, after a position, that have the words. */
async function atPlaces<State extends Listed>(
  documents: ListedDocuments<State>,
  indexes: ListIndexes,
  given: Iterable<number>,
  wanted: { readonly words: readonly string[]; readonly limit: number; readonly after: ListPosition | undefined },
): Promise<State[]> {
  const { words, limit, after } = wanted;
  const places = newestPlaces(given).filter((place) => !after || place <= after.createdOrder);
  const found: State[] = [];
  for (let from = 0, size = limit; from < places.length && found.length < limit; from += size, size = READ_AT_ONCE) {
    const some = { createdOrder: { $in: places.slice(from, from + size) } };
    const all = [some, behind(after), havingWords(words)];
    const matching = { $and: all } as unknown as DocumentFilter<State>;
    found.push(...(await Array.fromAsync(documents.find(matching, NEWEST_FIRST, undefined, indexes.newest))));
  }
  return found.slice(0, limit);
}

/** Every word must be the prefix of a term. */
export function matchesSearch(terms: readonly string[], words: readonly string[]): boolean {
  return words.length > 0 && words.every((word) => terms.some((term) => term.startsWith(word)));
}

/** The position at which the next page begins; `before` is that of this page. */
export function endOfPage(page: readonly Listed[], before: ListPosition | undefined): ListPosition | undefined {
  const last = page.at(-1);
  if (!last) return undefined;
  const { createdOrder } = last;
  const ids = page.filter((item) => item.createdOrder === createdOrder).map(({ id }) => id);
  return { createdOrder, ids: before?.createdOrder === createdOrder ? [...before.ids, ...ids] : ids };
}
