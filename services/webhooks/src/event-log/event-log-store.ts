import { openDocuments } from '@parley/aggregates';
import { collidedIndex, createIndexes, QUERY_TIME_MAX_MS } from '@parley/mongo';
import { batch, batching } from '@parley/queues';
import type { Encryptor } from '@parley/secrets';
import { counterFromZero, type Telemetry } from '@parley/telemetry';
import { LRUCache } from 'lru-cache';
import type { Clock } from '@parley/clock';
import type { Collection, Db } from 'mongodb';
import { appending, type AppendSteps, type NewestSegment, type Stored } from './append.ts';
import type { LoggedEvent } from './logged-event.ts';
import { type Entry, type LogKey, oldestKept, type Position, positionAt, type Segment } from './segment.ts';

/** A segment as it is stored. */
interface StoredSegment extends LogKey, Segment {
  readonly _id: string;
  readonly entries: readonly Entry[];
  /** The types of its events. */
  readonly types: readonly string[];
}

/** Some entries of a segment, from an index on. */
export interface SegmentPart extends Segment {
  readonly entries: readonly Entry[];
}

/** What is stored of an event, be it that it was just taken or that it was there. */
export interface StoredContent extends Stored {
  /** Null when there is nothing to send. */
  readonly body: string | null;
}

/** What is to be stored of an event. */
export type NewContent = Omit<LoggedEvent, 'sealedBody' | 'segment'> & { readonly body: string | null };

export type EventLogStore = Awaited<ReturnType<typeof openEventLogStore>>;

/** Entries of a segment: few enough for one document, many enough that filters pass over much of the log. */
const SEGMENT_MAX = 500;
/** Companies whose newest segment is known without reading it. */
const KNOWN_MAX = 10_000;
/** Segments that are removed at a time. */
const PORTION = 20;

const BESIDES_BODY = ['companyId', 'event', 'subject', 'occurredAt', 'recordedAt', 'segment'] as const;

const bodyIndexes = [
  { name: 'company', key: { companyId: 1, _id: 1 } },
  { name: 'recorded', key: { recordedAt: 1 } },
] as const;

const segmentIndexes = [
  { name: 'log', key: { companyId: 1, epoch: 1, number: 1 } },
  { name: 'log_time', key: { companyId: 1, epoch: 1, firstAt: 1, number: 1 } },
  { name: 'log_types', key: { companyId: 1, epoch: 1, types: 1, number: 1 } },
  { name: 'time', key: { firstAt: 1, companyId: 1, epoch: 1, number: 1 } },
] as const;

const bounded = { maxTimeMS: QUERY_TIME_MAX_MS };

export const eventBodyContext = (eventId: string) => `event/${eventId}/body`;

export async function openEventLogStore(options: {
  db: Db;
  encryption: Pick<Encryptor, 'encrypt' | 'decrypt'>;
  clock: Clock;
  /** Of a company. */
  eventsMax: number;
  /** There is more to read. */
  onAppended: (companyId: string) => void;
  telemetry: Pick<Telemetry, 'meter'>;
}) {
  const { db, encryption, clock, eventsMax, onAppended, telemetry } = options;
  const recorded = counterFromZero(telemetry.meter, 'parley_event_log_events_total');
  const contents = await openDocuments<LoggedEvent>({
    db,
    collection: 'logged_events',
    indexes: bodyIndexes.map((index) => ({ ...index })),
  });
  const segments = db.collection<StoredSegment>('event_log_segments');
  await createIndexes(
    segments as unknown as Collection,
    segmentIndexes.map((index) => ({ ...index })),
  );
  const open = ({ id, sealedBody }: Pick<LoggedEvent, 'id' | 'sealedBody'>): string | null =>
    sealedBody === null ? null : encryption.decrypt(sealedBody, eventBodyContext(id));
  const { bulk } = contents;

  /** What is there already wins. */
  async function storeAll(given: readonly NewContent[]): Promise<StoredContent[]> {
    const newSince = performance.now();
    const created = await bulk.createMissing(
      given.map(({ body, ...content }) => ({
        ...content,
        subject: body === null ? null : content.subject,
        sealedBody: body === null ? null : encryption.encrypt(body, eventBodyContext(content.id)),
        segment: null,
      })),
    );
    const others = given.filter((_, index) => !created[index]).map(({ id }) => id);
    const known = await bodiesOf(others);
    return given.map(({ id, event, body }, index) =>
      created[index] ? { id, event, body, newSince } : { id, event, body: known.get(id) ?? null, newSince: null },
    );
  }

  /** Of those of the events that have one. */
  async function bodiesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    const filter = { id: { $in: [...ids] } };
    const found = await bulk.readPage({ filter, sort: { id: 1 }, limit: ids.length, omit: BESIDES_BODY });
    return new Map(found.flatMap((content) => (content.sealedBody === null ? [] : [[content.id, open(content)!]])));
  }

  /** Removes the content of events; they keep their places. */
  async function empty(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await bulk.assignAll({ id: { $in: [...ids] } }, { sealedBody: null, subject: null });
  }

  async function removeOldest(log: LogKey, newest: number): Promise<void> {
    const number = { $lt: oldestKept(newest, eventsMax, SEGMENT_MAX) };
    const surplus = segments.find({ ...keyOf(log), number }, { ...bounded, projection: { entries: 0 }, hint: 'log' });
    for (const segment of await surplus.sort({ number: 1 }).limit(PORTION).toArray()) {
      await empty(await idsOf(segments, log, segment.number));
      await segments.deleteOne({ _id: segment._id });
    }
  }

  const append = appending(
    { ...appendSteps(segments), segmentMax: SEGMENT_MAX, marked, mark, removeOldest },
    new LRUCache({ max: KNOWN_MAX }),
    () => clock.now(),
    () => performance.now(),
  );

  async function marked(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const filter = { id: { $in: [...ids] }, segment: { $gte: 0 } };
    const found = await bulk.readPage({ filter, sort: { id: 1 }, limit: ids.length, omit: ['sealedBody'] });
    return new Set(found.map(({ id }) => id));
  }

  async function mark(log: LogKey, number: number): Promise<void> {
    await bulk.assignAll({ id: { $in: await idsOf(segments, log, number) } }, { segment: number });
  }

  return {
    segmentMax: SEGMENT_MAX,
    startExpiry: contents.startExpiry,
    /** Stores what the event is for ever, unless that is stored. */
    store: batch(storeAll, batching.eventContents),
    /** Gives stored events their places, behind all others, in their order. */
    append: batch(
      async (appends: readonly { readonly log: LogKey; readonly events: readonly Stored[] }[]) => {
        const { log } = appends[0]!;
        const appended = await append(
          log,
          appends.flatMap(({ events }) => events),
        );
        if (appended > 0) onAppended(log.companyId);
        recorded.add(appended);
        return appends.map(() => undefined);
      },
      { ...batching.loggedEvents, keyBy: ({ log }) => `${log.companyId}/${log.epoch}` },
    ),
    open,
    bodiesOf,
    empty,
    async content(companyId: string, id: string): Promise<LoggedEvent | undefined> {
      return contents.of(companyId).get(id);
    },
    /** Contents of a company, in the order of their ids. */
    ofCompany: (companyId: string, after: string, limit: number): Promise<LoggedEvent[]> =>
      bulk.readPage({ filter: { companyId, id: { $gt: after } }, sort: { id: 1 }, limit, index: 'company' }),
    ...segmentReads(segments),
    ...segmentRemoval(segments, (companyId, until) => bulk.removeAll({ companyId, recordedAt: { $lte: until } })),
  };
}

const keyOf = ({ companyId, epoch }: LogKey) => ({ companyId, epoch });
const idOf = ({ companyId, epoch }: LogKey, number: number) => `${companyId}/${epoch}/${number}`;

async function idsOf(segments: Collection<StoredSegment>, log: LogKey, number: number): Promise<string[]> {
  const found = await segments.findOne({ _id: idOf(log, number) }, { ...bounded, projection: { 'entries.id': 1 } });
  return found?.entries.map(({ id }) => id) ?? [];
}

function appendSteps(segments: Collection<StoredSegment>): Pick<AppendSteps, 'newest' | 'push' | 'create'> {
  return {
    async newest(log): Promise<NewestSegment | undefined> {
      const projection = { 'entries.id': 1, number: 1, firstAt: 1, lastAt: 1, count: 1 };
      const found = await segments.findOne(keyOf(log), { ...bounded, projection, sort: { number: -1 }, hint: 'log' });
      if (!found) return undefined;
      const { number, firstAt, lastAt, count, entries } = found;
      return { number, firstAt, lastAt, count, ids: new Set(entries.map(({ id }) => id)) };
    },
    async push(log, { number, count }, entries): Promise<boolean> {
      const { matchedCount } = await segments.updateOne(
        { _id: idOf(log, number), count },
        {
          $push: { entries: { $each: [...entries] } },
          $set: { count: count + entries.length, lastAt: entries.at(-1)!.at },
          $addToSet: { types: { $each: [...new Set(entries.map(({ event }) => event))] } },
        },
      );
      return matchedCount === 1;
    },
    async create(log, segment): Promise<void> {
      try {
        await segments.insertOne({ _id: idOf(log, segment.number), ...keyOf(log), ...segment, entries: [], types: [] });
      } catch (error) {
        if (collidedIndex(error) !== '_id_') throw error;
      }
    },
  };
}

function segmentReads(segments: Collection<StoredSegment>) {
  const withoutEntries = { number: 1, firstAt: 1, lastAt: 1, count: 1 };

  /** The newest segment, with its last entry. */
  async function end(log: LogKey): Promise<SegmentPart | undefined> {
    const projection = { ...withoutEntries, entries: { $slice: -1 } };
    const options = { ...bounded, projection, sort: { number: -1 }, hint: 'log' } as const;
    return (await segments.findOne(keyOf(log), options)) ?? undefined;
  }

  return {
    /** Undefined for an event that has no place yet. */
    async positionBehind(log: LogKey, event: LoggedEvent): Promise<Position | undefined> {
      const { id, segment } = event;
      const newest = segment ?? (await end(log))?.number ?? 0;
      // It may have been marked since it was read.
      for (const number of segment === null ? [newest, newest - 1] : [segment]) {
        const index = (await idsOf(segments, log, number)).indexOf(id);
        if (index >= 0) return positionAt(number, index + 1, event);
      }
      return undefined;
    },
    /** At most so many entries of a segment, from an index on. */
    async part(log: LogKey, number: number, index: number, limit: number): Promise<SegmentPart | undefined> {
      const projection = { ...withoutEntries, entries: { $slice: [index, limit] } };
      return (await segments.findOne({ _id: idOf(log, number) }, { ...bounded, projection })) ?? undefined;
    },
    end,
    /** The number of the first segment from a number on that has one of the types. */
    async nextWith(log: LogKey, from: number, types: readonly string[]): Promise<number | undefined> {
      const filter = { ...keyOf(log), types: { $in: [...types] }, number: { $gte: from } };
      const options = { ...bounded, projection: { number: 1 }, sort: { number: 1 }, hint: 'log_types' } as const;
      return (await segments.findOne(filter, options))?.number;
    },
    /** The segment in or behind which the first entry at or after a time is. */
    async aroundTime(log: LogKey, time: Date): Promise<SegmentPart | undefined> {
      const before = { ...keyOf(log), firstAt: { $lt: time } };
      const latest = { ...bounded, sort: { firstAt: -1, number: -1 }, hint: 'log_time' } as const;
      const oldest = { ...bounded, sort: { number: 1 }, hint: 'log' } as const;
      return (await segments.findOne(before, latest)) ?? (await segments.findOne(keyOf(log), oldest)) ?? undefined;
    },
  };
}

function segmentRemoval(
  segments: Collection<StoredSegment>,
  removeContents: (companyId: string, until: Date) => Promise<number>,
) {
  return {
    /** Removes what a log that has ended had, until then. */
    async removeLog(log: LogKey, until: Date): Promise<void> {
      await segments.deleteMany(keyOf(log));
      await removeContents(log.companyId, until);
    },
    /** Removes the segments of which a later one had begun by then, and all of logs that are not there any more. */
    async removeExpired(
      before: Date,
      isThere: (logs: readonly LogKey[]) => Promise<readonly boolean[]>,
    ): Promise<void> {
      const found = await segments
        .aggregate<{ _id: LogKey; last: number }>(
          [
            { $match: { firstAt: { $lt: before } } },
            { $group: { _id: { companyId: '$companyId', epoch: '$epoch' }, last: { $max: '$number' } } },
          ],
          { ...bounded, hint: 'time' },
        )
        .toArray();
      const there = await isThere(found.map(({ _id }) => _id));
      for (const [index, { _id: log, last }] of found.entries())
        await segments.deleteMany({ ...keyOf(log), ...(there[index] && { number: { $lt: last } }) });
    },
  };
}
