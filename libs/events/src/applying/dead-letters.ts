import { counterFromZero, redactText, type Telemetry } from '@parley/telemetry';
import { Binary, type Db } from 'mongodb';
import { decodeEvent, encodeEvent, type Event } from '../event/envelope.ts';

interface DeadLetterDocument {
  _id: string;
  follower: string;
  eventId: string;
  type: string;
  reason: string;
  at: Date;
  envelope: Binary;
}

/** An event that could not be applied, with the reason. */
export interface DeadLetter {
  readonly eventId: string;
  readonly type: string;
  readonly reason: string;
  readonly at: Date;
}

export type DeadLetters = Awaited<ReturnType<typeof openDeadLetters>>;

/** Events that a follower could not apply. They are stored in the follower's own database, because a broker can lose its disk. */
export async function openDeadLetters(
  db: Db,
  follower: string,
  { apply, types }: { apply: (events: readonly Event[]) => Promise<void>; types: readonly string[] },
  telemetry: Telemetry,
) {
  const collection = db.collection<DeadLetterDocument>('dead_letters');
  await collection.createIndex({ follower: 1, at: 1 }, { name: 'follower_at' });
  const counter = counterFromZero(telemetry.meter, 'parley_dead_letters_total', [{ follower }]);
  const key = (eventId: string) => `${follower}:${eventId}`;
  return {
    async add(event: Event, reason: unknown): Promise<void> {
      const letter = {
        follower,
        eventId: event.id,
        type: event.type,
        reason: reasonText(reason),
        at: new Date(),
        envelope: new Binary(encodeEvent(event)),
      };
      await collection.updateOne({ _id: key(event.id) }, { $setOnInsert: letter }, { upsert: true });
      counter.add(1, { follower });
      telemetry.log.error({ err: reason, follower, event: event.id, type: event.type }, 'event became a dead letter');
    },
    list: (limit: number): Promise<DeadLetter[]> =>
      collection
        .find({ follower }, { projection: { _id: 0, eventId: 1, type: 1, reason: 1, at: 1 } })
        .sort({ at: 1 })
        .limit(limit)
        .toArray(),
    /** Applies one again and deletes it if that succeeds. False when there is no such letter; throws what the handler throws. */
    async replay(eventId: string): Promise<boolean> {
      const letter = await collection.findOne({ _id: key(eventId) });
      if (!letter) return false;
      const event = decodeEvent(letter.envelope.buffer);
      if (!types.includes(event.type)) throw new Error(`${follower} does not handle ${event.type} any more`);
      await apply([event]);
      await collection.deleteOne({ _id: letter._id });
      return true;
    },
  };
}

/** Removes those whose event fits, of every follower of a service; they are few, and read in the order of their ids. */
export async function removeDeadLetters(db: Db, fits: (event: Event) => Promise<boolean>): Promise<void> {
  const collection = db.collection<DeadLetterDocument>('dead_letters');
  for await (const { _id, envelope } of collection.find().sort({ _id: 1 }))
    if (await fits(decodeEvent(envelope.buffer))) await collection.deleteOne({ _id });
}

function reasonText(reason: unknown): string {
  return redactText(reason instanceof Error ? `${reason.name}: ${reason.message}` : String(reason)).slice(0, 500);
}
