import { decodeEvent, encodeEvent, type Event } from '@parley/events';
import { whileUnreachable } from '@parley/store';
import { Binary, type Collection, type Db, MongoBulkWriteError } from 'mongodb';

interface LoggedEvent {
  _id: string;
  /** When it was logged, by the machine's clock: what is published again depends on the broker's time, not the product's. */
  at: Date;
  sequence: number;
  envelope: Binary;
}

/** Longer than the streams keep their copy. */
export const EVENT_LOG_DAYS = 30;

/** A service's lasting record of the events it has published, from which a lost stream is filled again. */
export interface EventLog {
  add(events: readonly Event[]): Promise<void>;
  /** Everything logged since, in the order of each aggregate. */
  since(from: Date): AsyncIterable<Event>;
  readonly collection: Collection<LoggedEvent>;
}

/** Opens the log in a service's own database. */
export async function openEventLog(db: Db): Promise<EventLog> {
  const collection = db.collection<LoggedEvent>('event_log');
  await collection.createIndex({ at: 1, sequence: 1 }, { name: 'at_sequence' });
  return {
    collection,
    async add(events) {
      const at = new Date();
      const logged = events.map((event) => ({
        _id: event.id,
        at,
        sequence: event.aggregateSequence,
        envelope: new Binary(encodeEvent(event)),
      }));
      await whileUnreachable(() => collection.insertMany(logged, { ordered: false }).catch(ignoreRepeated));
    },
    async *since(from) {
      for await (const { envelope } of collection.find({ at: { $gte: from } }).sort({ at: 1, sequence: 1 })) {
        yield decodeEvent(envelope.buffer);
      }
    },
  };
}

/** An entry that exists already was logged by a relay that crashed before publishing it. */
function ignoreRepeated(error: unknown): void {
  const failed = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : [];
  // Without any, the write as a whole has failed.
  if (failed.length === 0 || !failed.every(({ code }) => code === 11000)) throw error;
}
