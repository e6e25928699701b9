import { type Migration, setMissing } from '@parley/mongo';
import type { Db } from 'mongodb';
import { defaultSettings } from './numbers/number-fields.ts';

/** What 0.3.0 does not store; while it runs beside this version, it makes such numbers after the migrations. */
export const completeNumbers = (db: Db): Promise<void> =>
  setMissing(db, 'business_numbers', { ...defaultSettings, assistantIds: [] });

export const migrations: readonly Migration[] = [
  {
    name: '0.3.0',
    async run(db) {
      await setMissing(db, 'business_numbers', defaultSettings);
      await db
        .collection('prompts')
        .updateMany({ _deleted: { $exists: false } }, { $set: { _version: 1, _stamps: [], _deleted: false } });
    },
  },
  {
    name: '0.4.0',
    async run(db) {
      await completeNumbers(db);
      await setMissing(db, 'prompts', { place: 0 });
    },
  },
];
