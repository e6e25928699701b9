import { byIds, replaceIf, valueById } from '@parley/mongo';
import { pauseForRequests } from '@parley/queues';
import { type AnyBulkWriteOperation, BSON, type Collection, type Db, MongoBulkWriteError } from 'mongodb';
import { addTotals, type Scope, type Total, type TotalKey, type ZoneTotals } from './total.ts';

export type TotalPart = 'total' | 'hours' | 'weekdays';

/** Some parts of a total. */
export type PartOfTotal = TotalKey & Pick<Total, 'weekdays'> & Partial<Pick<Total, 'total' | 'hours'>>;

/** Totals of every company, kind and time zone in use. */
export interface Totals {
  /** Replaces totals. One that a later run has written stays. */
  write(of: ZoneTotals, totals: readonly Total[], run: number): Promise<void>;
  /** Adds changes to totals, each once, however often a run adds them. A total of nothing stays, and says so. */
  add(changes: readonly TotalChange[], run: number): Promise<void>;
  /** One scope over periods: as many documents as there are periods. */
  ofScope(of: ZoneTotals, scope: Scope, periods: readonly Period[], ...parts: TotalPart[]): Promise<PartOfTotal[]>;
  /** Every business number, or every employee, that has a total in one of the periods. */
  grouped(of: ZoneTotals, by: keyof Scope, within: Scope, periods: readonly Period[]): Promise<PartOfTotal[]>;
  /** Removes the totals of a time zone that is no longer in use; those that a later run has written stay. */
  removeZone(companyId: string, zone: string, run: number): Promise<void>;
  /** After a run that computed all totals of a time zone: removes those that it has not written, which have no facts any more. */
  removeBefore(of: ZoneTotals, run: number): Promise<void>;
}

/** By how much a total changes. */
export type TotalChange = ZoneTotals & Total;

export type Period = Pick<TotalKey, 'unit' | 'period'>;

type StoredTotal = Total & ZoneTotals & { readonly _id: string; readonly run: number };

const BATCH = 500;
/** Totals of one statement, in which each looks up its own change. */
const STATEMENT = 100;
/** Of its totals. A command may have 16 MB, as one total alone may. */
const STATEMENT_BYTES = 4_000_000;
const DUPLICATE_KEY = 11000;

/** The index of each grouping: the other field of the scope is known, then periods, then groups. */
const groupIndexes = { businessNumberId: 'by_number', employeeId: 'by_employee' } as const;

/** Named in deletions: with many totals the embedded engine cannot choose between indexes. */
const ZONE_INDEX = 'zone';

export async function openTotals(db: Db): Promise<Totals> {
  const collection = db.collection<StoredTotal>('totals');
  const zone = { companyId: 1, kind: 1, zone: 1, unit: 1 } as const;
  await collection.createIndexes([
    { key: { ...zone, employeeId: 1, period: 1, businessNumberId: 1 }, name: groupIndexes.businessNumberId },
    { key: { ...zone, businessNumberId: 1, period: 1, employeeId: 1 }, name: groupIndexes.employeeId },
    { key: { companyId: 1, zone: 1 }, name: ZONE_INDEX },
  ]);
  const projection = (...parts: TotalPart[]) => ({
    businessNumberId: 1,
    employeeId: 1,
    unit: 1,
    period: 1,
    ...Object.fromEntries(parts.map((part) => [part, 1])),
  });

  async function writeAll(operations: readonly AnyBulkWriteOperation<StoredTotal>[]): Promise<void> {
    for (let first = 0; first < operations.length; first += BATCH)
      await collection.bulkWrite(operations.slice(first, first + BATCH), { ordered: false }).catch(exceptOutrun);
  }

  return {
    async write(of, totals, run) {
      for (let first = 0; first < totals.length; first += BATCH) {
        const some = totals
          .slice(first, first + BATCH)
          .map((total): StoredTotal => ({ _id: totalId(of, total), ...of, ...total, run }));
        const ids = some.map(({ _id }) => _id);
        const stored = await collection.find(byIds(ids), { projection: { _id: 1 }, batchSize: BATCH }).toArray();
        const known = new Set(stored.map(({ _id }) => _id));
        const created = some.filter(({ _id }) => !known.has(_id));
        const present = [...some.filter(({ _id }) => known.has(_id)), ...(await insertMissing(collection, created))];
        for (const together of statementsOf(present, (total) => total)) await replaceEarlier(collection, together);
        await pauseForRequests();
      }
    },
    async add(changes, run) {
      for (let first = 0; first < changes.length; first += BATCH) {
        const some = changes.slice(first, first + BATCH);
        const found = await collection.find(byIds(some.map((change) => totalId(change, change)))).toArray();
        const byId = new Map(found.map((total) => [total._id, total]));
        const additions = some.flatMap((change) => addition(byId.get(totalId(change, change)), change, run));
        const [changed, created] = [additions.filter(({ from }) => from), additions.filter(({ from }) => !from)];
        for (const together of statementsOf(changed, ({ to }) => to)) await replaceUnchanged(collection, together);
        const outdated = await insertMissing(
          collection,
          created.map(({ to }) => to),
        );
        // An outdated run has written them since they were looked for; what the same run has added stays.
        await writeAll(
          outdated.map((replacement) => {
            const filter = { _id: replacement._id, run: { $lt: run } };
            return { replaceOne: { filter, replacement, upsert: true } };
          }),
        );
      }
    },
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
      await collection.deleteMany({ companyId, zone: name, run: { $lte: run } }, { hint: ZONE_INDEX });
    },
    async removeBefore(of, run) {
      await collection.deleteMany({ ...of, run: { $lt: run } }, { hint: ZONE_INDEX });
    },
  };
}

/** A total before and after a change. */
interface Addition {
  readonly from: StoredTotal | undefined;
  readonly to: StoredTotal;
}

/** None if the change was added before. */
function addition(current: StoredTotal | undefined, change: TotalChange, run: number): Addition[] {
  if (current && current.run >= run) return [];
  const { companyId, kind, zone } = change;
  const _id = totalId(change, change);
  return [{ from: current, to: { _id, companyId, kind, zone, ...addTotals(current, change), run } }];
}

function statementsOf<Change>(changed: readonly Change[], totalOf: (change: Change) => StoredTotal): Change[][] {
  const statements: Change[][] = [];
  let bytes = Infinity;
  for (const one of changed) {
    const own = BSON.calculateObjectSize(totalOf(one));
    bytes += own;
    if (bytes > STATEMENT_BYTES || statements.at(-1)!.length === STATEMENT) {
      statements.push([]);
      bytes = own;
    }
    statements.at(-1)!.push(one);
  }
  return statements;
}

/** Another process may add the same changes meanwhile. One statement that needs no query plan costs the server a fraction of single ones. */
async function replaceUnchanged(collection: Collection<StoredTotal>, changed: readonly Addition[]): Promise<void> {
  const ids = changed.map(({ to }) => to._id);
  const own = valueById(
    ids,
    changed.map(({ from, to }) => ({ run: from?.run, to })),
  );
  await collection.updateMany(byIds(ids), [replaceIf(own, [{ $eq: ['$run', '$$own.run'] }], '$$own.to')]);
}

/** Those that a later run has written stay. */
async function replaceEarlier(collection: Collection<StoredTotal>, totals: readonly StoredTotal[]): Promise<void> {
  const ids = totals.map(({ _id }) => _id);
  await collection.updateMany(byIds(ids), [
    replaceIf(valueById(ids, totals), [{ $lte: ['$run', '$$own.run'] }], '$$own'),
  ]);
}

/** Returns those that are there already. */
async function insertMissing(
  collection: Collection<StoredTotal>,
  created: readonly StoredTotal[],
): Promise<StoredTotal[]> {
  if (created.length === 0) return [];
  try {
    await collection.insertMany([...created], { ordered: false });
    return [];
  } catch (error) {
    exceptOutrun(error);
    return [(error as MongoBulkWriteError).writeErrors].flat().map(({ index }) => created[index]!);
  }
}

function totalId({ companyId, kind, zone }: ZoneTotals, key: TotalKey): string {
  return [companyId, kind, zone, key.businessNumberId, key.employeeId, key.period].join(' ');
}

/** A guard that fails makes an upsert collide with what a later run has written. */
function exceptOutrun(error: unknown): void {
  if (!(error instanceof MongoBulkWriteError)) throw error;
  const errors = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
  if (errors.length === 0 || errors.some(({ code }) => code !== DUPLICATE_KEY)) throw error;
}
