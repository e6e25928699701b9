import type { Migration } from '@parley/mongo';

export const migrations: readonly Migration[] = [
  {
    name: '0.3.0',
    async run(db) {
      // Facts that were counted before it was stored how.
      await db
        .collection('facts')
        .updateMany({ uncountedSince: { $exists: false } }, { $set: { uncountedSince: null, countedAs: null } });
      await db.collection('facts').updateMany({ countedRun: { $exists: false } }, { $set: { countedRun: 0 } });
      const companies = db.collection('company_totals');
      if (await companies.indexExists('renamed_wantedZones').catch(() => false))
        await companies.dropIndex('renamed_wantedZones');
      // Totals that the last run made from facts, instead of adding changes, are made again: it did not say which facts it counted.
      const isTracked = { $and: [{ $eq: ['$addingRun', '$run'] }, { $eq: ['$changed', []] }] };
      await companies.updateMany({ changed: { $exists: true } }, [
        {
          $set: {
            zones: { $cond: [isTracked, '$zones', []] },
            requestedZones: { $ifNull: ['$requestedZones', { $ifNull: ['$wantedZones', []] }] },
            zonesAddedAt: { $ifNull: ['$zonesAddedAt', []] },
            droppedZones: { $ifNull: ['$droppedZones', []] },
            lastDropRun: { $ifNull: ['$lastDropRun', 0] },
            uncounted: { $ifNull: ['$uncounted', null] },
            counting: { $ifNull: ['$counting', null] },
            endedRun: { $ifNull: ['$endedRun', 0] },
            _version: { $add: ['$_version', 1] },
          },
        },
        { $unset: ['addingRun', 'changed', 'revision', 'wantedZones'] },
      ]);
    },
  },
];
