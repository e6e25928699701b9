import { type Migration, setMissing } from '@parley/mongo';
import { defaultSettings } from './numbers/number-fields.ts';

export const migrations: readonly Migration[] = [
  { name: '0.3.0', run: (db) => setMissing(db, 'business_numbers', defaultSettings) },
];
