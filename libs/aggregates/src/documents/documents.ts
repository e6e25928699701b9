import type { Refusal } from '@parley/errors';
import { createIndexes, QUERY_TIME_MAX_MS } from '@parley/mongo';
import type { Collection, Condition, Db, Document, IndexDescription, Sort } from 'mongodb';
import { type AnyEffects, type Outbox, outboxIndexes } from '../outbox/outbox.ts';
import { documentReader, type DocumentCache, documentCache } from '../stored/document-reader.ts';
import {
  type CompanyEntity,
  type Entity,
  type StoredDocument,
  toState,
  withStoredId,
} from '../stored/stored-document.ts';
import { type BulkOperations, bulkOperations } from '../writes/bulk-operations.ts';
import { documentWriter } from '../writes/document-writer.ts';
import { type CachedFinder, cachedFinder, type CachedFinderOptions } from './cached-finder.ts';
import { documentMaintenance, type DocumentMaintenance } from './maintenance.ts';
import { type DocumentFilter, type NoEffects, type ScopedDocuments, scopedDocuments } from './scoped-documents.ts';

export interface DocumentsOptions {
  db: Db;
  collection: string;
  /** Unique indexes do not contain tombstones. */
  indexes?: readonly NamedIndex[];
  /** Fields that lists leave out, because only indexes need them. */
  unlisted?: readonly string[];
  /** Unique index to the refusal that a collision with it means. */
  collisions?: Readonly<Record<string, Refusal>>;
  /**
   * The number of documents that are cached as this process wrote them last, so that the next change is decided without reading
   * them. For documents that one process writes at a time, several times in a row.
   */
  recentMax?: number;
  /**
   * An id may be used again after its document was deleted: no version of an id is ever used twice then, so that a reader may
   * recognise what it has by id and version.
   */
  reusesIds?: boolean;
  /** The delay of a write while writes are frequent, in milliseconds, so that several share a command. */
  writeWaitMs?: number;
}

export type NamedIndex = IndexDescription & { name: string };

/** The same for operations on documents of all companies. */
export type BulkFilter<State extends CompanyEntity> = DocumentFilter<State> & {
  readonly companyId?: Condition<string>;
};

/** Documents of a kind. */
export interface Documents<
  State extends Entity,
  SomeEffects extends AnyEffects = NoEffects,
> extends DocumentMaintenance<State, SomeEffects> {
  /** One company's documents. Another company's id is an unknown id here, by construction. */
  of(companyId: string): ScopedDocuments<State, SomeEffects>;
  /** For facts that are unique across companies and for maintenance; state the reason where it is used. */
  readonly acrossCompanies: ScopedDocuments<State, SomeEffects>;
  /** The documents of several companies, with one query; by company, each in the given order. */
  findByCompanies(companyIds: readonly string[], sort: Sort): Promise<ReadonlyMap<string, State[]>>;
  /** For lists that are read often and change little. Needs `reusesIds` unless ids are used once. */
  cachedFinder<Field extends keyof State>(
    fields: readonly Field[],
    options: CachedFinderOptions,
  ): CachedFinder<State, Field>;
}

/** Documents without events, commands and timers, which can also be read and written in bulk. */
export interface PlainDocuments<State extends CompanyEntity> extends Documents<State> {
  readonly bulk: BulkOperations<State, BulkFilter<State>>;
}

/** Documents that belong to no company. */
export type GlobalDocuments<State extends Entity> = ScopedDocuments<State> & DocumentMaintenance<State, NoEffects>;

/** Opens a collection of documents that belong to companies. */
export async function openDocuments<State extends CompanyEntity>(
  options: DocumentsOptions,
): Promise<PlainDocuments<State>> {
  const cache = documentCache(options.recentMax);
  const { documents, collection } = await openCollection<State, NoEffects>(options, cache);
  return {
    ...documents,
    bulk: bulkOperations<State>(collection, cache, firstVersionOf(options)),
  };
}

/** Opens a collection of documents that belong to no company. */
export async function openGlobalDocuments<State extends Entity>(
  options: DocumentsOptions,
): Promise<GlobalDocuments<State>> {
  const { documents } = await openCollection<State, NoEffects>(options, documentCache(options.recentMax));
  const { acrossCompanies, startExpiry, startFieldRemoval, startDueWork, startClaimedWork } = documents;
  return { ...acrossCompanies, startExpiry, startFieldRemoval, startDueWork, startClaimedWork };
}

/** Opens a collection; with an outbox, its decisions may have events, commands and timers. */
export async function openCollection<State extends Entity, SomeEffects extends AnyEffects>(
  options: DocumentsOptions,
  cache: DocumentCache,
  outbox?: Outbox,
) {
  const { collisions = {}, writeWaitMs } = options;
  const collection = options.db.collection<StoredDocument>(options.collection);
  const indexes = [...(outbox ? outboxIndexes : []), ...(options.indexes ?? []).map(excludingTombstones)];
  await createIndexes(collection as unknown as Collection, indexes);
  const reader = documentReader(collection, cache);
  const firstVersion = firstVersionOf(options);
  const writer = documentWriter({ collection, reader, cache, outbox, collisions, writeWaitMs, firstVersion });
  const scoped = scopedDocuments<State, SomeEffects>(collection, reader, writer, options.unlisted);
  const documents: Documents<State, SomeEffects> = {
    of: scoped,
    acrossCompanies: scoped(undefined),
    async findByCompanies(companyIds, sort) {
      const filter = { companyId: { $in: [...new Set(companyIds)] }, _deleted: false };
      const order: Document = { companyId: 1, ...withStoredId(sort as object) };
      const found = await collection
        .find(filter, { maxTimeMS: QUERY_TIME_MAX_MS })
        .sort(order as Sort)
        .toArray();
      const byCompany = Map.groupBy(found, (stored) => stored.companyId ?? '');
      return new Map(
        [...byCompany].map(([companyId, own]) => [companyId, own.map((stored) => toState<State>(stored))]),
      );
    },
    cachedFinder: (fields, finder) => cachedFinder(collection, fields, finder),
    ...documentMaintenance<State, SomeEffects>(collection, writer, outbox),
  };
  return { documents, writer, collection };
}

/** The version of a document that is created. Versions grow by one, so one that begins with the time is never reached by an earlier document. */
function firstVersionOf({ reusesIds = false }: DocumentsOptions): () => number {
  return reusesIds ? () => Math.floor((performance.timeOrigin + performance.now()) * 1000) : () => 1;
}

/** A tombstone does not keep a unique value from being used again. */
function excludingTombstones(index: NamedIndex): NamedIndex {
  if (!index.unique) return index;
  return { ...index, partialFilterExpression: { ...index.partialFilterExpression, _deleted: false } };
}
