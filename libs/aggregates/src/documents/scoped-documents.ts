import { setTimeout as sleep } from 'node:timers/promises';
import type { DecisionWith, Effects } from '@parley/errors';
import { QUERY_TIME_MAX_MS } from '@parley/mongo';
import { batch, batching, hasRequests, noteRequest } from '@parley/queues';
import type { Collection, Condition, Document, FindCursor, Sort } from 'mongodb';
import { type AnyEffects, outboxFields } from '../outbox/outbox.ts';
import { documentFields, type Entity, type StoredDocument, toState, withStoredId } from '../stored/stored-document.ts';
import type { DocumentReader } from '../stored/document-reader.ts';
import { type DocumentWriter, missing } from '../writes/document-writer.ts';

/** A list fits when it is equal, or when one of its items fits. */
type FieldCondition<Value> = [Value] extends [readonly (infer Item)[]]
  ? Condition<Value> | Condition<Item>
  : Condition<Value>;

/** Conditions on fields, on paths into them, and combinations; the scope adds the condition on the company. */
export type DocumentFilter<State> = {
  readonly [Field in Exclude<keyof State, 'companyId'>]?: FieldCondition<NonNullable<State[Field]>> | null;
} & {
  readonly [path: `${string}.${string}`]: unknown;
  readonly $or?: readonly DocumentFilter<State>[];
  readonly $and?: readonly DocumentFilter<State>[];
};

/** Decisions about plain documents have no effects besides their state. */
export type NoEffects = Effects;

/** Documents of one kind and one scope. Throws `Refused` where a decision refuses. */
export interface ScopedDocuments<State extends Entity, SomeEffects extends AnyEffects = NoEffects> {
  get(id: string): Promise<State | undefined>;
  /** The cached state, which may be older than the stored one; reads the document if it is not cached. */
  getRecent(id: string): Promise<State | undefined>;
  findOne(filter: DocumentFilter<State>): Promise<State | undefined>;
  /** Finds the document that has a value at a path, where there is one at most; requests at the same time are one query. */
  batchFinder(path: string): (value: string) => Promise<State | undefined>;
  /**
   * In the given order; read it to its end or leave the loop, never keep it. `index` is for a query that several indexes fit and
   * whose best one depends on the values: MongoDB keeps a plan for the next values, too.
   */
  find(filter: DocumentFilter<State>, sort: Sort, limit?: number, index?: string): AsyncIterable<State>;
  /**
   * `find` for a short list of which only some fields are needed: what is not read costs nothing. With an empty `sort` the first that
   * the index has: a sort by an array field reads every match before the first result, this stops at the limit.
   */
  findFields<Field extends keyof State>(
    fields: readonly Field[],
    filter: DocumentFilter<State>,
    sort: Sort,
    limit: number,
    index?: string,
  ): Promise<Pick<State, Field | 'id'>[]>;
  /**
   * The same for a list of any length, some at a time. Between two chunks it pauses as long as the last one took, its
   * reader's work included: a long list delays its own reader only.
   */
  findInChunks(filter: DocumentFilter<State>, sort: Sort): AsyncIterable<State[]>;
  /** Stops counting at `limit`. */
  count(limit: number, filter?: DocumentFilter<State>): Promise<number>;
  /**
   * One field of each document, undefined where there is none; with `from` of the first `limit` that the named index has. An index
   * that contains the field and `_deleted` answers without reading a document.
   */
  valuesOf<Field extends keyof State>(
    field: Field,
    filter?: DocumentFilter<State>,
    from?: { readonly index: string; readonly limit: number },
  ): Promise<State[Field][]>;
  create(decision: DecisionWith<State, SomeEffects>): Promise<State>;
  /**
   * Reads, decides, writes; decides again when another process was faster. A null state deletes. With `from`, a state just read with
   * `get` or `findOne`, it decides first on that, and reads only if that has changed.
   */
  change<Next extends State | null>(
    id: string,
    decide: (current: State) => DecisionWith<Next, SomeEffects>,
    from?: State,
  ): Promise<Next>;
  /** `change` that returns undefined when there is none. */
  changeIfExists<Next extends State | null>(
    id: string,
    decide: (current: State) => DecisionWith<Next, SomeEffects>,
  ): Promise<Next | undefined>;
  /** `change` that decides on undefined when there is none, and creates it. */
  upsert<Next extends State | null>(
    id: string,
    decide: (current: State | undefined) => DecisionWith<Next, SomeEffects>,
  ): Promise<Next>;
  /** Writes fields no decision is needed for, without reading first; false when there is no such document. */
  assign(id: string, fields: Partial<Omit<State, 'id' | 'companyId'>>): Promise<boolean>;
  /** `change` whose decision also has an outcome that is not stored. */
  changeWithOutcome<Next extends State | null, Outcome>(
    id: string,
    decide: (current: State) => DecisionWith<Next, SomeEffects> & { readonly outcome: Outcome },
    from?: State,
  ): Promise<{ state: Next; outcome: Outcome }>;
}

/** Documents per response of the server; its default is 16 MB at once, which a long list would hold in memory. */
const BATCH = 100;
/** The chunk size: large enough to be efficient, small enough to take a few milliseconds. */
const CHUNK = 50;
/** No pause for a slow reader. */
const REST_MS_MAX = 5;

/** The documents of a collection, by the scope in which they are read and written: a company, or all with undefined. */
export function scopedDocuments<State extends Entity, SomeEffects extends AnyEffects>(
  collection: Collection<StoredDocument>,
  reader: DocumentReader,
  writer: DocumentWriter,
  unlisted: readonly string[] = [],
): (companyId: string | undefined) => ScopedDocuments<State, SomeEffects> {
  const unneeded = [...documentFields, ...outboxFields, ...unlisted];
  const projection = Object.fromEntries(unneeded.map((name) => [name, 0]));
  /** The stored documents of states that were read, so that a later change needs no second read. */
  const readAs = new WeakMap<object, StoredDocument>();
  return (companyId) => {
    noteRequest();
    const filterOf = (filter: object): Document => ({
      ...withStoredId(filter),
      ...(companyId !== undefined && { companyId }),
      _deleted: false,
    });
    const scope = { collection, reader, writer, projection, readAs, companyId, filterOf };
    return { ...singleReads<State>(scope), ...listReads<State>(scope), ...scopedWrites<State, SomeEffects>(scope) };
  };
}

interface Scope {
  readonly collection: Collection<StoredDocument>;
  readonly reader: DocumentReader;
  readonly writer: DocumentWriter;
  readonly projection: Document;
  readonly readAs: WeakMap<object, StoredDocument>;
  readonly companyId: string | undefined;
  readonly filterOf: (filter: object) => Document;
}

const bounded = { maxTimeMS: QUERY_TIME_MAX_MS };

function singleReads<State extends Entity>(
  scope: Scope,
): Pick<ScopedDocuments<State>, 'get' | 'getRecent' | 'findOne' | 'batchFinder'> {
  const { collection, reader, readAs, companyId, filterOf } = scope;
  const withSource = (stored: StoredDocument | undefined | null): State | undefined => {
    if (!stored) return undefined;
    const state = toState<State>(stored);
    readAs.set(state, stored);
    return state;
  };
  return {
    get: async (id) => withSource(await reader.read(id, companyId)),
    async getRecent(id) {
      const stored = await reader.readRecent(id, companyId);
      return stored && toState<State>(stored);
    },
    findOne: async (filter) => withSource(await collection.findOne(filterOf(filter), bounded)),
    batchFinder: (path) =>
      batch(async (values: readonly string[]) => {
        const wanted = values.length === 1 ? values[0] : { $in: [...new Set(values)] };
        const found = await collection.find(filterOf({ [path]: wanted }), bounded).toArray();
        const byValue = new Map(found.flatMap((stored) => valuesAt(stored, path.split('.')).map((at) => [at, stored])));
        return values.map((value) => withSource(byValue.get(value)));
      }, batching.reads),
  };
}

function listReads<State extends Entity>(
  scope: Scope,
): Pick<ScopedDocuments<State>, 'find' | 'findFields' | 'findInChunks' | 'count' | 'valuesOf'> {
  const { collection, projection, filterOf } = scope;
  const open = (filter: object, sort: Sort, limit?: number, index?: string) => {
    const options = { ...bounded, projection, ...(index !== undefined && { hint: index }) };
    const cursor = collection.find(filterOf(filter), options).sort(withStoredId(sort as object) as Sort);
    cursor.batchSize(BATCH);
    // With a limit of 0, which means none, the driver increases the batch size.
    return (limit === undefined ? cursor : cursor.limit(limit)) as unknown as FindCursor<{ _id: string }>;
  };
  return {
    async *find(filter, sort, limit, index) {
      for await (const stored of open(filter, sort, limit, index)) yield toState<State>(stored);
    },
    async findFields(fields, filter, sort, limit, index) {
      const options = {
        ...bounded,
        projection: onlyFields(fields),
        limit,
        sort: withStoredId(sort as object) as Sort,
        ...(index !== undefined && { hint: index }),
      };
      const found = await collection.find(filterOf(filter), options).toArray();
      return found.map((stored) => toState<State>(stored));
    },
    async *findInChunks(filter, sort) {
      await using cursor = open(filter, sort);
      for (let from = performance.now(); await cursor.hasNext(); from = performance.now()) {
        yield cursor.readBufferedDocuments(CHUNK).map((stored) => toState<State>(stored));
        if (hasRequests() && (await cursor.hasNext())) await sleep(Math.min(performance.now() - from, REST_MS_MAX));
      }
    },
    count: (limit, filter = {}) => collection.countDocuments(filterOf(filter), { ...bounded, limit }),
    async valuesOf(field, filter = {}, from) {
      if (from) return valuesInIndex<State, typeof field>(collection, filterOf(filter), field, from);
      const options = { ...bounded, projection: { _id: 0, ...onlyFields([field]) } };
      const found = await collection.find(filterOf(filter), options).toArray();
      return found.map((stored) => toState<State>(stored)[field]);
    },
  };
}

function scopedWrites<State extends Entity, SomeEffects extends AnyEffects>(
  scope: Scope,
): Pick<
  ScopedDocuments<State, SomeEffects>,
  'assign' | 'create' | 'change' | 'changeIfExists' | 'upsert' | 'changeWithOutcome'
> {
  const { collection, writer, readAs, companyId, filterOf } = scope;
  const ifExists =
    <Chosen>(decide: (current: State) => Chosen) =>
    (current: State | undefined) =>
      current && decide(current);
  const change = async <Chosen extends DecisionWith<State | null, SomeEffects>>(
    id: string,
    decide: (current: State) => Chosen,
    from?: State,
  ) => {
    const decision = await writer.writeDecision(id, companyId, ifExists(decide), from && readAs.get(from));
    if (!decision) throw missing();
    return decision as Chosen & { ok: true };
  };
  return {
    async assign(id, fields) {
      // The version grows, so that a decision made on the old fields is made again.
      const update: Document = { $set: fields, $inc: { _version: 1 } };
      const { matchedCount } = await collection.updateOne(filterOf({ id }), update);
      return matchedCount === 1;
    },
    create: (decision) => writer.create(companyId, decision),
    change: async (id, decide, from) => (await change(id, decide, from)).state,
    async changeIfExists(id, decide) {
      const decision = await writer.writeDecision(id, companyId, ifExists(decide));
      return decision?.ok ? decision.state : undefined;
    },
    async upsert(id, decide) {
      const decision = await writer.writeDecision(id, companyId, decide);
      if (!decision?.ok) throw missing();
      return decision.state;
    },
    async changeWithOutcome(id, decide, from) {
      const { state, outcome } = await change(id, decide, from);
      return { state, outcome };
    },
  };
}

/** As one document: thousands of small ones would cost this process more than the query costs the server. */
async function valuesInIndex<State extends Entity, Field extends keyof State>(
  collection: Collection<StoredDocument>,
  filter: Document,
  field: Field,
  { index, limit }: { readonly index: string; readonly limit: number },
): Promise<State[Field][]> {
  const value = { $ifNull: [`$${field === 'id' ? '_id' : String(field)}`, null] };
  const stages = [{ $match: filter }, { $limit: limit }, { $group: { _id: null, values: { $push: value } } }];
  const options = { ...bounded, hint: index };
  const [found] = await collection.aggregate<{ values: (State[Field] | null)[] }>(stages, options).toArray();
  return (found?.values ?? []).map((one) => one ?? (undefined as State[Field]));
}

/** The values of a document at a path; arrays along the path contribute each of their items. */
function valuesAt(value: unknown, [name, ...rest]: readonly string[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, name === undefined ? [] : [name, ...rest]));
  if (name === undefined) return [value];
  return typeof value === 'object' && value !== null ? valuesAt((value as Document)[name], rest) : [];
}

/** The projection of some fields. */
export function onlyFields(fields: readonly PropertyKey[]): Record<string, 1> {
  return Object.fromEntries(fields.map((name) => [name === 'id' ? '_id' : name, 1]));
}
