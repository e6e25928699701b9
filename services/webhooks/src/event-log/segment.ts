/** A company's log. A new one begins when the one before has ended; their positions have nothing in common. */
export interface LogKey {
  readonly companyId: string;
  /** When it began, in milliseconds. */
  readonly epoch: number;
}

/** A place in the log: of an event, or behind the last one. */
export interface Position {
  readonly segment: number;
  readonly index: number;
  /**
   * What the event in front of it is recognised by; absent at the beginning of a segment. After a backup was restored another event may be
   * there.
   */
  readonly after?: string | undefined;
}

/** An event in its place. Times never decrease. */
export interface Entry {
  readonly id: string;
  readonly event: string;
  readonly at: Date;
}

/** A part of the log. Only the last one gets entries, and only at its end. */
export interface Segment {
  readonly number: number;
  /** Not after its first entry, and not before the last one of the segment before. */
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly count: number;
}

export const firstSegment = (now: Date): Segment => ({ number: 0, firstAt: now, lastAt: now, count: 0 });

export function successorOf({ number, lastAt }: Segment): Segment {
  return { number: number + 1, firstAt: lastAt, lastAt, count: 0 };
}

export function isFull({ count }: Pick<Segment, 'count'>, segmentMax: number): boolean {
  return count >= segmentMax;
}

/** The first events, as many as fit in, as entries of the segment. */
export function nextEntries(
  segment: Segment,
  events: readonly { readonly id: string; readonly event: string }[],
  now: Date,
  segmentMax: number,
): Entry[] {
  const at = now > segment.lastAt ? now : segment.lastAt;
  return events.slice(0, segmentMax - segment.count).map(({ id, event }) => ({ id, event, at }));
}

export function withEntries(segment: Segment, entries: readonly Entry[]): Segment {
  return {
    ...segment,
    count: segment.count + entries.length,
    lastAt: entries.at(-1)?.at ?? segment.lastAt,
  };
}

/** Segments before this one exceed what a company may have, when the newest one has this number. */
export function oldestKept(newest: number, eventsMax: number, segmentMax: number): number {
  return Math.max(0, newest + 1 - Math.floor(eventsMax / segmentMax));
}

/** The index of the first entry at or after a time; their number if there is none. */
export function firstIndexFrom(entries: readonly Pick<Entry, 'at'>[], time: Date): number {
  const index = entries.findIndex(({ at }) => at >= time);
  return index < 0 ? entries.length : index;
}

const MARK_LENGTH = 8;

/** Enough of an id to notice that another event is in its place. */
export function markOf({ id }: Pick<Entry, 'id'>): string {
  return id.slice(-MARK_LENGTH);
}

/** The position of an index in a segment whose entry in front of it is known, if it has one. */
export function positionAt(segment: number, index: number, before: Pick<Entry, 'id'> | undefined): Position {
  return { segment, index, after: before && markOf(before) };
}

/** Negative when the first is before the second. */
export function comparePositions(one: Position, other: Position): number {
  return one.segment - other.segment || one.index - other.index;
}
