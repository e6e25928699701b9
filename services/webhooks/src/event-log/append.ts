import {
  type Entry,
  firstSegment,
  isFull,
  type LogKey,
  nextEntries,
  type Segment,
  successorOf,
  withEntries,
} from './segment.ts';

/** The newest segment with the ids of its events. */
export interface NewestSegment extends Segment {
  readonly ids: ReadonlySet<string>;
}

/** What appending does in the database. Each step may be repeated. */
export interface AppendSteps {
  /** Entries of a segment. */
  readonly segmentMax: number;
  newest(log: LogKey): Promise<NewestSegment | undefined>;
  /** Those of the events that are marked with their segment. */
  marked(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Adds entries to a segment that still has as many as it had; false when it has not. */
  push(log: LogKey, segment: Segment, entries: readonly Entry[]): Promise<boolean>;
  /** Marks all events of a full segment with its number. */
  mark(log: LogKey, number: number): Promise<void>;
  /** Does nothing if it is there already. */
  create(log: LogKey, segment: Segment): Promise<void>;
  /** Removes the segments that are too many. */
  removeOldest(log: LogKey, newest: number): Promise<void>;
}

/** An event whose content is stored. */
export interface Stored {
  readonly id: string;
  readonly event: string;
  /** When storing it began, if this process was the first to store it; nobody else had it in the log then. */
  readonly newSince: number | null;
}

/** The newest segment as this process knows it. Whoever has changed it meanwhile lets a push fail. */
interface Known {
  readonly segment: Segment;
  /** When it was read; from then on only this process has added to it, or a push fails. */
  readonly readAt: number;
}

/** `known` of companies that had no event for long are forgotten. */
export interface KnownSegments {
  get(key: string): Known | undefined;
  set(key: string, known: Known): void;
  delete(key: string): void;
}

/**
 * Appends events to the log in their order, each once: repeated, by several processes, whichever of them ends or stands still
 * between two steps.
 *
 * The events of a segment are marked before it has a successor, so only the newest segment has events without a mark. What is neither in the
 * newest segment nor, read after that, marked, is not in the log as long as that segment is unchanged, which the push proves. An event that
 * was stored after the segment was read needs no look: it was nowhere then. Resolves with how many this call has appended.
 */
export function appending(steps: AppendSteps, known: KnownSegments, now: () => Date, tick: () => number) {
  return async (log: LogKey, events: readonly Stored[]): Promise<number> => {
    const key = `${log.companyId}/${log.epoch}`;
    let left: readonly Stored[] = [...new Map(events.map((event) => [event.id, event])).values()];
    let appended = 0;
    for (;;) {
      const { segment, missing, readAt } = await findMissing(log, known.get(key), left);
      left = missing;
      if (left.length === 0) return appended;
      const entries = nextEntries(segment, left, now(), steps.segmentMax);
      if (isFull(segment, steps.segmentMax)) {
        await steps.mark(log, segment.number);
        const next = successorOf(segment);
        await steps.create(log, next);
        await steps.removeOldest(log, next.number);
        known.set(key, { segment: next, readAt });
      } else if (await steps.push(log, segment, entries)) {
        known.set(key, { segment: withEntries(segment, entries), readAt });
        left = left.slice(entries.length);
        appended += entries.length;
      } else known.delete(key);
    }
  };

  async function findMissing(log: LogKey, last: Known | undefined, events: readonly Stored[]) {
    if (last && events.every(({ newSince }) => newSince !== null && newSince >= last.readAt))
      return { ...last, missing: events };
    const segment = (await steps.newest(log)) ?? (await begin(log));
    const readAt = tick();
    const candidates = events.filter(({ id }) => !segment.ids.has(id));
    const marked = candidates.length === 0 ? new Set() : await steps.marked(candidates.map(({ id }) => id));
    return { segment, readAt, missing: candidates.filter(({ id }) => !marked.has(id)) };
  }

  async function begin(log: LogKey): Promise<NewestSegment> {
    await steps.create(log, firstSegment(now()));
    const begun = await steps.newest(log);
    if (!begun) throw new Error(`the log of ${log.companyId} has ended`);
    return begun;
  }
}
