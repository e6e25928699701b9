import { type Migration, setMissing } from '@parley/mongo';
import type { Db } from 'mongodb';

export const migrations: readonly Migration[] = [
  {
    name: '0.3.0',
    async run(db) {
      await db
        .collection('deliveries')
        .updateMany({ followed: { $exists: true } }, { $rename: { followed: 'hasSuccessor' } });
      const subscriptions = db.collection('subscriptions');
      await subscriptions.updateMany(
        { _deleted: { $exists: false } },
        { $set: { _version: 1, _stamps: [], _deleted: false } },
      );
      await subscriptions.updateMany(
        { suspended: { $exists: false }, _deleted: false },
        { $set: { suspended: false }, $inc: { _version: 1 } },
      );
    },
  },
  {
    name: '0.4.0',
    // Subscriptions had no events.
    run: (db) => setMissing(db, 'subscriptions', { _eventCounts: {}, _outbox: [], _relay: null }),
  },
  { name: '0.4.0 event logs', run: beginLogs },
];

/** Companies with a webhook have a log. Since when all of their events are in it is decided by the first who reads it. */
async function beginLogs(db: Db): Promise<void> {
  const now = new Date();
  const log = { epoch: now.getTime(), eventsFrom: now, recordedSince: null, lastUsedAt: now };
  const companyIds = await db.collection('subscriptions').distinct('companyId', { _deleted: false });
  for (const companyId of companyIds as string[])
    await db
      .collection<{ _id: string }>('company_event_logs')
      .updateOne(
        { _id: companyId },
        { $setOnInsert: { companyId, ...log, _version: 1, _stamps: [], _deleted: false } },
        { upsert: true },
      );
}
