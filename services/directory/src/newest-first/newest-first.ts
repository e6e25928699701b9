import { beginsWith } from '@parley/search-terms';
import type { DocumentFilter, Entity, ScopedDocuments } from '@parley/aggregates';

/** What a list shows newest first, and finds by words. */
export interface Listed extends Entity {
  /** Absent in data of earlier versions. */
  readonly createdOrder?: number;
  readonly searchTerms?: readonly string[];
}

/** Newest first, as a list is read. */
export const NEWEST_FIRST = { createdOrder: -1 } as const;

/** Where a page ended. */
export interface ListPosition {
  readonly createdOrder: number;
  /** Items of the pages before that have this order: two processes may assign the same one. */
  readonly ids: readonly string[];
}

/** The documents of a list. */
export type ListedDocuments<State extends Listed> = Pick<ScopedDocuments<State>, 'find' | 'findUnsorted'>;

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
  const filter = {
    ...(words.length > 0 && { $and: words.map((word) => ({ searchTerms: beginsWith(word) })) }),
    ...(after && { createdOrder: { $lte: after.createdOrder }, id: { $nin: [...after.ids] } }),
  } as unknown as DocumentFilter<State>;
  return Array.fromAsync(documents.find(filter, NEWEST_FIRST, limit, indexes.newest));
}

/** A word that fewer items have is looked up by itself. */
const RARE_MAX = 1000;
/** Words that are tried for that. */
const TRIED_MAX = 3;

/**
 * The newest after a position that have terms with every one of these beginnings. A rare word has few items, which are then
 * compared with the others; frequent words are found soon by reading from the newest on.
 */
export async function searchNewest<State extends Listed>(
  documents: ListedDocuments<State>,
  indexes: ListIndexes,
  words: readonly string[],
  limit: number,
  after?: ListPosition,
): Promise<State[]> {
  const longestFirst = words.toSorted((a, b) => b.length - a.length);
  for (const word of longestFirst.slice(0, TRIED_MAX)) {
    const having = { searchTerms: beginsWith(word) } as unknown as DocumentFilter<State>;
    const others = words.filter((one) => one !== word);
    // The terms are most of an item: they are read only where there is something to compare them with.
    const fields = ['createdOrder', ...(others.length > 0 ? (['searchTerms'] as const) : [])] as const;
    const found = await documents.findUnsorted(fields, having, { index: indexes.search, limit: RARE_MAX });
    if (found.length < RARE_MAX) {
      const fits = (item: (typeof found)[number]) =>
        others.length === 0 || matchesSearch(item.searchTerms ?? [], others);
      const fitting = found.filter((item) => fits(item) && isAfter(item, after));
      const page = fitting.toSorted((a, b) => orderOf(b) - orderOf(a)).slice(0, limit);
      if (page.length === 0) return [];
      const listed = { id: { $in: page.map(({ id }) => id) } } as unknown as DocumentFilter<State>;
      const items = await Array.fromAsync(documents.find(listed, { id: 1 }));
      // One was deleted meanwhile: a short page would look like the last one.
      if (items.length < page.length) return searchNewest(documents, indexes, words, limit, after);
      return items.toSorted((a, b) => orderOf(b) - orderOf(a));
    }
  }
  return newest(documents, indexes, limit, after, longestFirst);
}

/** Whether each of the words is the beginning of a term. */
export function matchesSearch(terms: readonly string[], words: readonly string[]): boolean {
  return words.length > 0 && words.every((word) => terms.some((term) => term.startsWith(word)));
}

function isAfter(item: Listed, position: ListPosition | undefined): boolean {
  return !position || (orderOf(item) <= position.createdOrder && !position.ids.includes(item.id));
}

function orderOf({ createdOrder = 0 }: Listed): number {
  return createdOrder;
}

/** Where a page ends, whose predecessor ended at `before`. */
export function endOfPage(page: readonly Listed[], before: ListPosition | undefined): ListPosition | undefined {
  const last = page.at(-1);
  if (!last) return undefined;
  const createdOrder = orderOf(last);
  const ids = page.filter((item) => orderOf(item) === createdOrder).map(({ id }) => id);
  return { createdOrder, ids: before?.createdOrder === createdOrder ? [...before.ids, ...ids] : ids };
}
