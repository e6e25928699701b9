import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import { decodeEvent, encodeEvent, type Event } from '@parley/events';
import { expireByAge, type Migration, type SweepOptions } from '@parley/mongo';
import { Binary, type Db, MongoBulkWriteError } from 'mongodb';

interface LoggedEvent {
  _id: string;
  /** When it was logged, by the machine's clock: what is published again depends on the broker's time, not the product's. */
  at: Date;
  sequence: number;
  companyId: string;
  envelope: Binary;
  /** Present when the envelope is compressed. */
  deflated?: true;
}

/** Longer than the streams keep their copy. */
export const EVENT_LOG_DAYS = 30;
export const DAY_MS = 24 * 3600 * 1000;

/** Larger envelopes are compressed if that makes them smaller; most events are smaller and not worth the time. */
const COMPRESSED_FROM_BYTES = 4096;
const compress = promisify(deflate);
const decompress = promisify(inflate);

/** A service's lasting record of the events it has published, from which a lost stream is filled again. */
export type EventLog = Awaited<ReturnType<typeof openEventLog>>;

/** Events that one removal reads. */
const PORTION = 500;
/** Events that are published again together. */
const REPUBLISHED = 50;

/** Opens the log in a service's own database. */
export async function openEventLog(db: Db) {
  const collection = db.collection<LoggedEvent>('event_log');
  await collection.createIndex({ companyId: 1, _id: 1 }, { name: 'company' });
  return {
    collection,
    /** Removes old events, and creates the index that `since` needs. */
    startExpiry: (sweep: SweepOptions): Promise<{ stop(): Promise<void> }> =>
      expireByAge({ ...sweep, db, collection, ageMs: EVENT_LOG_DAYS * DAY_MS }),
    async add(events: readonly Event[]): Promise<void> {
      const at = new Date();
      const logged = await Promise.all(
        events.map(async (event) => ({
          _id: event.id,
          at,
          sequence: event.aggregateSequence,
          companyId: event.companyId,
          ...(await pack(encodeEvent(event))),
        })),
      );
      await collection.insertMany(logged, { ordered: false }).catch(ignoreRepeated);
    },
    /** Everything logged since, in the order of each aggregate. */
    async *since(from: Date): AsyncIterable<Event> {
      // Sorted here among those of one millisecond: a TTL index has one field.
      let sameTime: LoggedEvent[] = [];
      for await (const logged of collection.find({ at: { $gte: from } }).sort({ at: 1 })) {
        if (sameTime.length > 0 && sameTime[0]!.at.getTime() !== logged.at.getTime()) {
          yield* bySequence(sameTime);
          sameTime = [];
        }
        sameTime.push(logged);
      }
      yield* bySequence(sameTime);
    },
    /** The first events that were logged since, in the order of each aggregate, and when the next ones were, if there are more. */
    async portion(from: Date): Promise<{ readonly events: readonly Event[]; readonly next: Date | undefined }> {
      const found = await collection
        .find({ at: { $gte: from } })
        .sort({ at: 1 })
        .limit(REPUBLISHED + 1)
        .toArray();
      const next = found.length > REPUBLISHED ? found.at(-1)!.at : undefined;
      const earlier = next ? found.filter(({ at }) => at < next) : found;
      if (!next || earlier.length > 0) return { events: await inOrder(earlier), next };
      // All of one write have the same time.
      const together = await collection.find({ at: next }).toArray();
      return { events: await inOrder(together), next: new Date(next.getTime() + 1) };
    },
    /**
     * Removes the events of a company that fit, a bounded portion at a time, in the order of their ids. Returns where to
     * continue, or undefined at the end.
     */
    async remove(
      companyId: string,
      after: string,
      fits: (event: Event) => Promise<boolean>,
    ): Promise<string | undefined> {
      const ofCompany = { companyId, _id: { $gt: after } };
      const page = await collection.find(ofCompany, { hint: 'company' }).sort({ _id: 1 }).limit(PORTION).toArray();
      const fitting: string[] = [];
      for (const logged of page) {
        if (await fits(await unpack(logged))) fitting.push(logged._id);
      }
      if (fitting.length > 0) await collection.deleteMany({ _id: { $in: fitting } });
      return page.length < PORTION ? undefined : page.at(-1)?._id;
    },
  };
}

/** Entries of the log were without the company of their event. */
export const eventLogMigration: Migration = {
  name: 'event_log 0.3.0',
  async run(db) {
    const collection = db.collection<LoggedEvent>('event_log');
    for await (const logged of collection.find({ companyId: { $exists: false } })) {
      const { companyId } = await unpack(logged);
      await collection.updateOne({ _id: logged._id }, { $set: { companyId } });
    }
  },
};

function inOrder(logged: readonly LoggedEvent[]): Promise<Event[]> {
  const sorted = logged.toSorted((a, b) => a.at.getTime() - b.at.getTime() || a.sequence - b.sequence);
  return Promise.all(sorted.map(unpack));
}

async function* bySequence(logged: readonly LoggedEvent[]): AsyncIterable<Event> {
  for (const one of logged.toSorted((a, b) => a.sequence - b.sequence)) yield await unpack(one);
}

async function unpack({ envelope, deflated }: { envelope: Binary; deflated?: true | undefined }): Promise<Event> {
  return decodeEvent(deflated ? await decompress(envelope.buffer) : envelope.buffer);
}

async function pack(encoded: Uint8Array): Promise<Pick<LoggedEvent, 'envelope' | 'deflated'>> {
  const smaller = encoded.length < COMPRESSED_FROM_BYTES ? encoded : await compress(encoded, { level: 1 });
  return smaller.length < encoded.length
    ? { envelope: new Binary(smaller), deflated: true }
    : { envelope: new Binary(encoded) };
}

/** An entry that exists already was logged by a relay that crashed before publishing it. */
function ignoreRepeated(error: unknown): void {
  const failed = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : [];
  // Without any, the write as a whole has failed.
  if (failed.length === 0 || !failed.every(({ code }) => code === 11000)) throw error;
}
