import type { EventLogStore, SegmentPart } from './event-log-store.ts';
import {
  comparePositions,
  type Entry,
  firstIndexFrom,
  isFull,
  type LogKey,
  markOf,
  type Position,
  positionAt,
} from './segment.ts';

/** What a page is to have. */
export interface PageQuery {
  /** Events from here on; one of a `from`, or the oldest that is kept. */
  readonly at: Position | { readonly from: Date };
  /** All without. */
  readonly types?: ReadonlySet<string> | undefined;
  readonly limit: number;
  /** Earlier entries are not shown any more. */
  readonly keptFrom: Date;
}

/** An event of a page, and the position behind it. */
export interface PageEvent {
  readonly id: string;
  readonly event: string;
  readonly body: string;
  readonly next: Position;
}

export type Page =
  | { readonly events: readonly PageEvent[]; readonly next: Position; readonly hasMore: boolean }
  | { readonly oldest: Position };

export type PageStore = Pick<EventLogStore, 'segmentMax' | 'part' | 'end' | 'nextWith' | 'aroundTime' | 'bodiesOf'>;

/** An entry, and the position behind it. */
interface Placed extends Entry {
  readonly next: Position;
}

interface Places {
  readonly entries: readonly Placed[];
  readonly next: Position;
  readonly hasMore: boolean;
}

/** Entries that a request looks at. */
const ENTRIES_MAX = 1000;
/** Of the bodies of a page. */
const BYTES_MAX = 1024 * 1024;
const BEGINNING: Position = { segment: 0, index: 0 };

/** Reads a page, oldest first; the position of the oldest kept event when what was asked for is not kept any more. */
export async function readPage(store: PageStore, log: LogKey, query: PageQuery): Promise<Page> {
  const { at, keptFrom } = query;
  const start = 'from' in at ? await oldestFrom(store, log, at.from > keptFrom ? at.from : keptFrom) : at;
  const places = await findPlaces(store, log, start, query);
  if (places) return withBodies(store, places);
  const oldest = await oldestFrom(store, log, keptFrom);
  const isEmpty = comparePositions(oldest, BEGINNING) === 0 && comparePositions(start, BEGINNING) === 0;
  return isEmpty ? { events: [], next: start, hasMore: false } : { oldest };
}

/** The position of the first entry at or after a time. */
async function oldestFrom(store: PageStore, log: LogKey, time: Date): Promise<Position> {
  const segment = await store.aroundTime(log, time);
  if (!segment) return BEGINNING;
  const index = firstIndexFrom(segment.entries, time);
  return positionAt(segment.number, index, segment.entries[index - 1]);
}

/** The position behind the newest event. */
export async function endOf(store: PageStore, log: LogKey): Promise<Position> {
  const end = await store.end(log);
  return end ? positionAt(end.number, end.count, end.entries[0]) : BEGINNING;
}

/** Entries that fit, from a position on; undefined when that is not kept any more, or never was. */
async function findPlaces(
  store: PageStore,
  log: LogKey,
  start: Position,
  { types, limit, keptFrom }: PageQuery,
): Promise<Places | undefined> {
  const first = await firstPart(store, log, start, types ? ENTRIES_MAX : limit);
  if (!first || (first.part.entries[0] && first.part.entries[0].at < keptFrom)) return undefined;
  const found: Placed[] = [];
  let { part, position } = first;
  let looked = 0;
  for (;;) {
    for (const entry of part.entries) {
      if (found.length === limit || looked === ENTRIES_MAX) break;
      looked += 1;
      position = positionAt(part.number, position.index + 1, entry);
      if (!types || types.has(entry.event)) found.push({ ...entry, next: position });
    }
    if (position.index < part.count) return { entries: found, next: position, hasMore: true };
    const following = isFull(part, store.segmentMax) && (await nextPart(store, log, part.number + 1, types, limit));
    if (!following) return { entries: found, next: position, hasMore: false };
    ({ part, position } = following);
    if (found.length === limit || looked === ENTRIES_MAX)
      return { entries: found, next: position, hasMore: position.index < part.count };
  }
}

interface PartAt {
  readonly part: SegmentPart;
  readonly position: Position;
}

async function firstPart(
  store: PageStore,
  log: LogKey,
  position: Position,
  limit: number,
): Promise<PartAt | undefined> {
  const { segment, index, after } = position;
  // With the entry in front of it.
  const skipped = index > 0 ? 1 : 0;
  const part = await store.part(log, segment, index - skipped, limit + skipped);
  // Behind the last entry of a segment that was removed is the beginning of the next one.
  if (!part && index === store.segmentMax) return firstPart(store, log, { segment: segment + 1, index: 0 }, limit);
  if (!part || index > part.count) return undefined;
  const [before] = part.entries;
  if (skipped && after !== undefined && before && markOf(before) !== after) return undefined;
  return { part: { ...part, entries: part.entries.slice(skipped) }, position };
}

/** The beginning of the next segment that has one of the types; the end of the log if there is none. */
async function nextPart(
  store: PageStore,
  log: LogKey,
  number: number,
  types: ReadonlySet<string> | undefined,
  limit: number,
): Promise<PartAt | undefined> {
  // The end first: what is added to it afterwards is read by the next page.
  const end = types && (await store.end(log));
  const next = types ? await store.nextWith(log, number, [...types]) : number;
  if (next !== undefined) {
    const part = await store.part(log, next, 0, types ? ENTRIES_MAX : limit);
    return part && { part, position: { segment: next, index: 0 } };
  }
  if (!end || end.number < number) return undefined;
  return { part: { ...end, entries: [] }, position: positionAt(end.number, end.count, end.entries[0]) };
}

/** Those of the entries that still have a body. A page ends at the limit of bytes, with one event at least. */
async function withBodies(store: PageStore, { entries, next, hasMore }: Places): Promise<Page> {
  const bodies = await store.bodiesOf(entries.map(({ id }) => id));
  const events: PageEvent[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const body = bodies.get(entry.id);
    if (body === undefined) continue;
    bytes += Buffer.byteLength(body);
    if (events.length > 0 && bytes > BYTES_MAX) return { events, next: events.at(-1)!.next, hasMore: true };
    events.push({ id: entry.id, event: entry.event, body, next: entry.next });
  }
  return { events, next, hasMore };
}
