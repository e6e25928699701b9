/** The part of a list, newest first, that has been loaded: one unbroken run from its newest entry. */
export interface LoadedList<Item> {
  readonly items: readonly Item[];
  /** The cursor of older entries; null at the end of the list. */
  readonly nextCursor: string | null;
}

/** The same text for the same entry at the same place of the list. */
type PlaceOf<Item> = (item: Item) => string;

/**
 * Merges the first page, which was read again, into the loaded list. Older entries stay loaded, so reading news costs one page
 * however far one has scrolled; they are dropped when so much is new that the first page does not reach the known entries.
 */
export function withNewest<Item>(
  known: LoadedList<Item> | undefined,
  newest: LoadedList<Item>,
  idOf: (item: Item) => string,
  placeOf: PlaceOf<Item> = idOf,
): LoadedList<Item> {
  if (!known) return newest;
  const knownById = new Map(known.items.map((item) => [idOf(item), item]));
  const items = newest.items.map((item) => unlessChanged(knownById.get(idOf(item)), item));
  const places = new Set(items.map(placeOf));
  const lastShared = known.items.findLastIndex((item) => places.has(placeOf(item)));
  if (newest.nextCursor === null || lastShared === -1) return { items, nextCursor: newest.nextCursor };
  const ids = new Set(items.map(idOf));
  const older = known.items.slice(lastShared + 1).filter((item) => !ids.has(idOf(item)));
  if (older.length === 0) return { items, nextCursor: newest.nextCursor };
  return { items: [...items, ...older], nextCursor: known.nextCursor };
}

/** The object that is already shown if the new one says the same: it needs no rendering. */
function unlessChanged<Item>(known: Item | undefined, item: Item): Item {
  return known !== undefined && JSON.stringify(known) === JSON.stringify(item) ? known : item;
}

/** With a further page, unless the list has changed since it was requested. */
export function withOlder<Item>(
  known: LoadedList<Item>,
  cursor: string,
  page: LoadedList<Item>,
  idOf: (item: Item) => string,
): LoadedList<Item> {
  if (known.nextCursor !== cursor) return known;
  const ids = new Set(known.items.map(idOf));
  return {
    items: [...known.items, ...page.items.filter((item) => !ids.has(idOf(item)))],
    nextCursor: page.nextCursor,
  };
}
