import { batch } from '@parley/queues';
import type { Collection, Document, Sort } from 'mongodb';
import { MongoBulkWriteError } from 'mongodb';
import {
  changesBetween,
  type Entity,
  type StoredDocument,
  toFields,
  toState,
  withStoredId,
} from '../stored/stored-document.ts';
import type { DocumentCache } from '../stored/document-reader.ts';
import {
  guardedAssignments,
  type GuardedUpdate,
  guardedUpdates,
  uniformUpdate,
  findStamps,
  newStamp,
} from './guarded-update.ts';
import type { Guard } from '../stored/bookkeeping.ts';
import { QUERY_TIME_MAX_MS, wasRepeated } from '@parley/mongo';

export interface PageOptions<State, SomeFilter> {
  readonly filter: SomeFilter;
  readonly sort: Sort;
  readonly limit: number;
  /** The name of the index to use, where the server could choose another one. */
  readonly index?: string;
  /** Fields that are not needed. */
  readonly omit?: readonly (keyof State & string)[];
}

/**
 * Reads and writes of many documents at once, of any company. For plain documents only: what has events, commands or
 * timers is changed by a decision for each document.
 */
export interface BulkOperations<State extends Entity, SomeFilter> {
  /** Creates the documents that do not exist; returns for each whether it was created. */
  createMissing(states: readonly State[]): Promise<boolean[]>;
  readPage(options: PageOptions<State, SomeFilter>): Promise<State[]>;
  /** Writes new states of documents that were read by `readPage` and have not changed since; returns for each whether it was written. */
  replaceUnchanged(changes: readonly { readonly from: State; readonly to: State }[]): Promise<boolean[]>;
  /** Assigns fields to each of the documents whose `where` still holds; how many did. Of several for one id the first counts. */
  assignEach(
    assignments: readonly {
      readonly id: string;
      readonly where: Guard;
      readonly fields: Partial<Omit<State, 'id' | 'companyId'>>;
    }[],
  ): Promise<number>;
  /** Assigns the same fields to all that fit; how many did. */
  assignAll(filter: SomeFilter, fields: Partial<Omit<State, 'id' | 'companyId'>>): Promise<number>;
  removeAll(filter: SomeFilter): Promise<number>;
  /** Counts the documents per value of a list field, reading no more than `limit` documents. */
  countValues(options: {
    readonly list: keyof State & string;
    readonly filter: SomeFilter;
    readonly limit: number;
    readonly index?: string;
  }): Promise<ReadonlyMap<string, number>>;
  /** Some fields of the first document, in the order of `sort`, for each value of the field `by`. */
  firstOfEach<By extends keyof State & string, Field extends keyof State & string>(options: {
    readonly by: By;
    readonly filter: SomeFilter;
    readonly sort: Sort;
    readonly fields: readonly Field[];
    /** Applied to the first documents, before `limit`. */
    readonly having?: SomeFilter;
    readonly limit?: number;
    readonly index?: string;
  }): Promise<Pick<State, By | Field>[]>;
}

const DUPLICATE_KEY = 11000;

export function bulkOperations<State extends Entity>(
  collection: Collection<StoredDocument>,
  cache: DocumentCache,
  firstVersion: () => number,
): BulkOperations<State, object> {
  const createMissing = (states: readonly State[]) => insertMissing(collection, cache, states, firstVersion);
  /** Single documents that are created at the same time are one command. */
  const createOne = batch(createMissing, { max: 100 });
  return {
    createMissing: (states) => (states.length > 1 ? createMissing(states) : Promise.all(states.map(createOne))),
    ...pagesOf<State>(collection),
    async assignEach(assignments) {
      if (assignments.length === 0) return 0;
      const statements = guardedAssignments(
        assignments.map(({ id, where, fields }) => ({ id, guard: where, set: fields })),
      );
      const written = await Promise.all(statements.map(({ filter, update }) => collection.updateMany(filter, update)));
      return written.reduce((sum, { modifiedCount }) => sum + modifiedCount, 0);
    },
    async assignAll(filter, fields) {
      // The version grows, so that a decision made on the old fields is made again.
      const update: Document = { $set: fields, $inc: { _version: 1 } };
      return (await collection.updateMany(withStoredId(filter), update)).matchedCount;
    },
    async removeAll(filter) {
      return (await collection.deleteMany(withStoredId(filter))).deletedCount;
    },
    async countValues({ list, filter, limit, index }) {
      const path = `$${list}`;
      const stages = [
        { $match: withStoredId(filter) },
        { $limit: limit },
        { $unwind: path },
        { $group: { _id: path, count: { $sum: 1 } } },
      ];
      const found = await collection.aggregate<{ _id: string; count: number }>(stages, query(index)).toArray();
      return new Map(found.map(({ _id, count }) => [_id, count]));
    },
    async firstOfEach({ by, filter, sort, fields, having, limit, index }) {
      const pathOf = (field: string) => (field === 'id' ? '$_id' : `$${field}`);
      const first = Object.fromEntries(fields.map((field) => [field, { $first: pathOf(field) }]));
      const stages = [
        { $match: withStoredId(filter) },
        { $sort: withStoredId(sort as object) },
        { $group: { ...first, _id: pathOf(by) } },
        ...(having ? [{ $match: having }] : []),
        ...(limit === undefined ? [] : [{ $limit: limit }]),
      ];
      const found = await collection.aggregate<Document>(stages, query(index)).toArray();
      return found.map(({ _id, ...rest }) => ({ ...rest, [by]: _id }) as Pick<State, typeof by>) as never;
    },
  };
}

const query = (index: string | undefined) => ({ maxTimeMS: QUERY_TIME_MAX_MS, ...(index && { hint: index }) });

async function insertMissing(
  collection: Collection<StoredDocument>,
  cache: DocumentCache,
  states: readonly Entity[],
  firstVersion: () => number,
): Promise<boolean[]> {
  const stamp = newStamp();
  const documents = states.map((state, index): StoredDocument => ({
    _id: state.id,
    ...toFields(state),
    _version: firstVersion(),
    _stamps: [`${stamp}-${index}`],
    _deleted: false,
  }));
  try {
    await collection.insertMany(documents, { ordered: false });
    documents.forEach(cache.set);
    return states.map(() => true);
  } catch (error) {
    const duplicates = duplicateIndexes(error);
    // The response of an earlier attempt was lost: documents with our stamp are ours.
    const repeated = duplicates.map((at) => ({ id: documents[at]!._id, stamp: documents[at]!._stamps[0]! }));
    const own = wasRepeated(error) ? await findStamps(collection, repeated) : [];
    const taken = new Set(duplicates.filter((_, at) => !own[at]));
    return states.map((_, index) => !taken.has(index));
  }
}

/** Pages that are read, and written if they have not changed since. */
function pagesOf<State extends Entity>(
  collection: Collection<StoredDocument>,
): Pick<BulkOperations<State, object>, 'readPage' | 'replaceUnchanged'> {
  /** Versions of states that were read; a write is guarded by it. */
  const versions = new WeakMap<object, number>();

  function write(updates: readonly GuardedUpdate[]) {
    const uniform = uniformUpdate(updates);
    if (uniform) return collection.updateMany(uniform.filter, uniform.update);
    const { filter, pipeline } = guardedUpdates(updates);
    return collection.updateMany(filter, pipeline);
  }

  return {
    async readPage({ filter, sort, limit, index, omit = [] }) {
      const projection = Object.fromEntries(['_stamps', ...omit].map((name) => [name, 0]));
      const found = await collection
        .find(withStoredId(filter), { ...query(index), projection })
        .sort(withStoredId(sort as object) as Sort)
        .limit(limit)
        .batchSize(limit)
        .toArray();
      return found.map((stored) => {
        const state = toState<State>(stored);
        versions.set(state, stored._version);
        return state;
      });
    },
    async replaceUnchanged(changes) {
      if (changes.length === 0) return [];
      const stamp = newStamp();
      const updates = changes.map(({ from, to }): GuardedUpdate => {
        const version = versions.get(from);
        if (version === undefined) throw new Error(`${from.id} was not read by readPage`);
        const { set, unset } = changesBetween(from, to);
        const fields = { ...set, _version: version + 1, _stamps: [stamp] };
        return { id: from.id, version, set: fields, unset, push: {}, stamp, deletes: false };
      });
      const { modifiedCount } = await write(updates);
      const ours = modifiedCount === changes.length ? undefined : await findStamps(collection, updates);
      return changes.map(({ from, to }, index) => {
        const isWritten = ours ? ours[index] === true : true;
        if (isWritten) versions.set(to, versions.get(from)! + 1);
        return isWritten;
      });
    },
  };
}

/** The documents of a bulk insert that exist already; any other failure is thrown. */
function duplicateIndexes(error: unknown): number[] {
  if (!(error instanceof MongoBulkWriteError)) throw error;
  const failed = [error.writeErrors].flat();
  // Without any, the write as a whole has failed.
  if (failed.length === 0 || !failed.every(({ code }) => code === DUPLICATE_KEY)) throw error;
  return failed.map(({ index }) => index);
}
