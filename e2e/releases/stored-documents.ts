import { fromBinary } from '@bufbuild/protobuf';
import { EnvelopeSchema } from '@parley/proto/events/v1/envelope_pb';
import { BSON, type Db, type Document } from 'mongodb';

const PER_COLLECTION = 2;
/** Of the longest documents, so that few of their fields are empty. */
const CANDIDATES = 200;

/** A few documents of each noun of a service, by collection, as extended JSON: those of them in which most is filled in. */
export async function documentsOf(db: Db): Promise<Document> {
  const documents: Record<string, Document[]> = {};
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
    // What has a version is a document; all else is bookkeeping, such as positions in streams.
    const stored = await db
      .collection(name)
      .find({ _version: { $exists: true }, _deleted: false })
      .limit(CANDIDATES)
      .toArray();
    const longest = stored.toSorted((one, other) => BSON.calculateObjectSize(other) - BSON.calculateObjectSize(one));
    if (longest.length > 0) documents[name] = longest.slice(0, PER_COLLECTION);
  }
  const byName = Object.entries(documents).toSorted(([one], [other]) => one.localeCompare(other));
  return BSON.EJSON.serialize({ madeAt: new Date(), documents: Object.fromEntries(byName) }, { relaxed: true });
}

/** Nothing waits to be published or executed. */
export async function isSettled(db: Db): Promise<boolean> {
  const pending = { $or: [{ '_outbox.0': { $exists: true } }, { '_commands.0': { $exists: true } }] };
  const collections = await db.collections();
  const found = await Promise.all(collections.map((collection) => collection.findOne(pending)));
  return found.every((one) => one === null);
}

/** The first event of each type that a service has published, in base64 by type. */
export async function eventsOf(db: Db): Promise<Record<string, string>> {
  const events: Record<string, string> = {};
  // Long ones are compressed; there are short ones of every type.
  for await (const { envelope } of db
    .collection('event_log')
    .find({ deflated: { $exists: false } })
    .sort({ at: 1 })) {
    const bytes: Uint8Array = envelope.buffer;
    events[fromBinary(EnvelopeSchema, bytes).type] ??= Buffer.from(bytes).toString('base64');
  }
  return events;
}
