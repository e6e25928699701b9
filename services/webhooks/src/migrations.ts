import type { Migration } from '@parley/mongo';

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
];
