import { type Migration, setMissing } from '@parley/mongo';
import { defaultSettings } from './numbers/number-fields.ts';

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
      await setMissing(db, 'business_numbers', { assistantIds: [] });
      await setMissing(db, 'prompts', { place: 0 });
    },
  },
];
