import { decided } from '@parley/errors';
import { openDocuments, type PlainDocuments } from '@parley/aggregates';
import type { Db } from 'mongodb';
import type { BusinessNumber } from './business-number.ts';

/** The fields of a former number that the company's history still shows. */
export type ReleasedNumber = Pick<BusinessNumber, 'id' | 'companyId' | 'name' | 'number' | 'numberFormatted'>;

export interface ReleasedNumbers {
  /** Written before the number itself is removed, so that a crash in between loses no name; the same release again has no effect. */
  keep(number: BusinessNumber): Promise<void>;
  /** Those of the given that the company had. */
  find(companyId: string, ids: readonly string[]): Promise<ReleasedNumber[]>;
}

export async function openReleasedNumbers(db: Db): Promise<ReleasedNumbers> {
  const released: PlainDocuments<ReleasedNumber> = await openDocuments<ReleasedNumber>({
    db,
    collection: 'released_numbers',
  });
  return {
    async keep({ id, companyId, name, number, numberFormatted }) {
      const kept = { id, companyId, name, number, numberFormatted };
      await released.of(companyId).upsert(id, () => decided(kept));
    },
    find: (companyId, ids) => Array.fromAsync(released.of(companyId).find({ id: { $in: [...ids] } }, { id: 1 })),
  };
}
