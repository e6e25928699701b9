import { type AnyBulkWriteOperation, type Db, MongoBulkWriteError } from 'mongodb';
import type { Scope, Total, TotalKey, ZoneTotals } from './total.ts';

export type TotalPart = 'total' | 'hours' | 'weekdays';

/** Some parts of a total. */
export type PartOfTotal = TotalKey & Pick<Total, 'weekdays'> & Partial<Pick<Total, 'total' | 'hours'>>;

/** Totals of every company, kind and time zone in use. */
export interface Totals {
  /** Replaces totals; `emptied` have no facts any more. One that a later run has written stays. */
  write(of: ZoneTotals, totals: readonly Total[], emptied: readonly TotalKey[], run: number): Promise<void>;
  /** The days of some scopes. */
  daysOf(of: ZoneTotals, keys: readonly TotalKey[]): Promise<Total[]>;
  /** One scope over periods: as many documents as there are periods. */
  ofScope(of: ZoneTotals, scope: Scope, periods: readonly Period[], ...parts: TotalPart[]): Promise<PartOfTotal[]>;
  /** Every business number, or every employee, that has a total in one of the periods. */
  grouped(of: ZoneTotals, by: keyof Scope, within: Scope, periods: readonly Period[]): Promise<PartOfTotal[]>;
  /** Removes the totals of a time zone that is no longer in use; those that a later run has written stay. */
  removeZone(companyId: string, zone: string, run: number): Promise<void>;
  /** After a run that computed all totals of a time zone: removes those that it has not written, which have no facts any more. */
  removeBefore(of: ZoneTotals, run: number): Promise<void>;
}

export type Period = Pick<TotalKey, 'unit' | 'period'>;

type StoredTotal = Total & ZoneTotals & { readonly _id: string; readonly run: number };

const BATCH = 500;
const DUPLICATE_KEY = 11000;

/** The index of each grouping: the other field of the scope is known, then periods, then groups. */
const groupIndexes = { businessNumberId: 'by_number', employeeId: 'by_employee' } as const;

export async function openTotals(db: Db): Promise<Totals> {
  const collection = db.collection<StoredTotal>('totals');
  const zone = { companyId: 1, kind: 1, zone: 1, unit: 1 } as const;
  await collection.createIndexes([
    { key: { ...zone, employeeId: 1, period: 1, businessNumberId: 1 }, name: groupIndexes.businessNumberId },
    { key: { ...zone, businessNumberId: 1, period: 1, employeeId: 1 }, name: groupIndexes.employeeId },
    { key: { companyId: 1, zone: 1 }, name: 'zone' },
  ]);
  const projection = (...parts: TotalPart[]) => ({
    businessNumberId: 1,
    employeeId: 1,
    unit: 1,
    period: 1,
    ...Object.fromEntries(parts.map((part) => [part, 1])),
  });

  return {
    async write(of, totals, emptied, run) {
      const operations: AnyBulkWriteOperation<StoredTotal>[] = [
        ...totals.map((total) => {
          const _id = totalId(of, total);
          return {
            replaceOne: {
              filter: { _id, run: { $lte: run } },
              replacement: { _id, ...of, ...total, run },
              upsert: true,
            },
          };
        }),
        ...emptied.map((key) => ({ deleteOne: { filter: { _id: totalId(of, key), run: { $lte: run } } } })),
      ];
      for (let first = 0; first < operations.length; first += BATCH)
        await collection.bulkWrite(operations.slice(first, first + BATCH), { ordered: false }).catch(exceptOutrun);
    },
    daysOf: (of, keys) => collection.find({ _id: { $in: keys.map((key) => totalId(of, key)) } }).toArray(),
    ofScope: (of, scope, periods, ...parts) =>
      collection
        .find({ _id: { $in: periods.map((period) => totalId(of, { ...scope, ...period })) } })
        .project<PartOfTotal>(projection(...parts))
        .toArray(),
    async grouped(of, by, within, periods) {
      const other = by === 'employeeId' ? 'businessNumberId' : 'employeeId';
      const found = await Promise.all(
        [...Map.groupBy(periods, ({ unit }) => unit)].map(([unit, some]) =>
          collection
            .find({
              ...of,
              unit,
              [other]: within[other],
              period: { $in: some.map(({ period }) => period) },
              [by]: within[by] === '' ? { $gt: '' } : within[by],
            })
            .hint(groupIndexes[by])
            .project<PartOfTotal>(projection('total'))
            .toArray(),
        ),
      );
      return found.flat();
    },
    async removeZone(companyId, name, run) {
      await collection.deleteMany({ companyId, zone: name, run: { $lte: run } });
    },
    async removeBefore(of, run) {
      await collection.deleteMany({ ...of, run: { $lt: run } });
    },
  };
}

function totalId({ companyId, kind, zone }: ZoneTotals, key: TotalKey): string {
  return [companyId, kind, zone, key.businessNumberId, key.employeeId, key.period].join(' ');
}

/** A guard that fails makes an upsert collide with what a later run has written. */
function exceptOutrun(error: unknown): void {
  if (!(error instanceof MongoBulkWriteError)) throw error;
  const errors = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
  if (errors.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
}
