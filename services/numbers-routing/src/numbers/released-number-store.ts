import { decided } from '@parley/errors';
import { openDocuments, type PlainDocuments } from '@parley/aggregates';
import type { Db } from 'mongodb';
import type { BusinessNumber } from './business-number.ts';

/** The fields of a former number that the company's history still shows. */
export type ReleasedNumber = Pick<BusinessNumber, 'id' | 'companyId' | 'name' | 'number' | 'numberFormatted'>;

export type ReleasedNumbers = Awaited<ReturnType<typeof openReleasedNumbers>>;

export async function openReleasedNumbers(db: Db) {
  const released: PlainDocuments<ReleasedNumber> = await openDocuments<ReleasedNumber>({
    db,
    collection: 'released_numbers',
  });
  return {
    /** Written before the number itself is removed, so that a crash in between loses no name; the same release again has no effect. */
    async keep({ id, companyId, name, number, numberFormatted }: BusinessNumber): Promise<void> {
      const kept = { id, companyId, name, number, numberFormatted };
      await released.of(companyId).upsert(id, () => decided(kept));
    },
    /** Those of the given that the company had. */
    find: (companyId: string, ids: readonly string[]) =>
      Array.fromAsync(released.of(companyId).find({ id: { $in: [...ids] } }, { id: 1 })),
  };
}
