import { type DecisionWith, notFound, Refused, type Refusal } from '@parley/errors';
import { collidedIndex } from '@parley/mongo';
import { keyedQueue, batching } from '@parley/queues';
import type { Collection } from 'mongodb';
import type { AnyEffects, Outbox } from '../outbox/outbox.ts';
import type { BookkeepingWrite } from '../stored/bookkeeping.ts';
import type { DocumentCache } from '../stored/document-cache.ts';
import { changesBetween, type Entity, type StoredDocument, toFields, toState } from '../stored/stored-document.ts';
import type { DocumentReader } from './document-reader.ts';
import { groupedWrites } from './grouped-writes.ts';
import { retryOnConflict } from './retry-on-conflict.ts';
import { newStamp, withStamp } from './stamps.ts';
import { removeWithoutTombstone } from './tombstones.ts';

/** A versioned write of bookkeeping, on tombstones as well. */
export interface Revision {
  /** Undefined leaves the state as it is. */
  readonly state?: Entity | null;
  readonly extra: BookkeepingWrite;
}

/** Writes of one collection, each guarded by the version it was decided on. */
export interface DocumentWriter {
  create<State extends Entity>(
    companyId: string | undefined,
    decision: DecisionWith<State, AnyEffects>,
  ): Promise<State>;
  /**
   * Decides on the document, or on undefined when there is none, and writes; decides again after a conflict. `from` saves
   * the first read. Without a decision nothing is written.
   */
  change<State extends Entity, Chosen extends DecisionWith<State | null, AnyEffects>>(
    id: string,
    companyId: string | undefined,
    decide: (current: State | undefined) => Chosen | undefined,
    from?: StoredDocument,
  ): Promise<Chosen | undefined>;
  /**
   * False when there is no document, when `decide` returns undefined, or when `isWanted` returns false once earlier changes are
   * done. Throws what `decide` throws, and may call it several times.
   */
  updateBookkeeping(
    id: string,
    decide: (stored: StoredDocument) => Revision | undefined,
    isWanted?: () => boolean,
  ): Promise<boolean>;
}

/** Changes of one document are queued within a process; when the database hangs, waiting longer does not help. */
const QUEUE_RUN_MAX_MS = 2000;
/** Opens the writes of a collection; without an outbox its documents have no events, commands and timers. */
export function documentWriter(options: {
  collection: Collection<StoredDocument>;
  reader: DocumentReader;
  cache: DocumentCache;
  outbox: Outbox | undefined;
  collisions: Readonly<Record<string, Refusal>>;
  writeWaitMs: number | undefined;
  firstVersion: () => number;
}): DocumentWriter {
  const { collection, reader, cache, outbox, collisions, writeWaitMs = batching.writes.waitMs, firstVersion } = options;
  const queue = keyedQueue(QUEUE_RUN_MAX_MS);
  const writes = groupedWrites(collection, writeWaitMs);
  /** The states of documents that may be decided on again; states are never changed in place. */
  const states = new WeakMap<StoredDocument, Entity>();

  function stateOf<State extends Entity>(stored: StoredDocument): State {
    const known = states.get(stored) ?? toState(stored);
    states.set(stored, known);
    return known as State;
  }

  function refusalFor(error: unknown): unknown {
    const index = collidedIndex(error);
    const refusal = index === undefined ? undefined : collisions[index];
    return refusal ? new Refused(refusal) : error;
  }

  async function insert(state: Entity, effects: AnyEffects): Promise<void> {
    const extra = outbox?.write(undefined, false, effects);
    const stored: StoredDocument = {
      _id: state.id,
      ...toFields(state),
      ...extra?.set,
      ...extra?.push,
      _version: firstVersion(),
      _stamps: [newStamp()],
      _deleted: false,
    };
    await writes.insert(stored);
    cache.set(stored);
    if (extra) await outbox?.afterWrite(stored, extra);
  }

  /** False when the document is no longer the one that was decided on. */
  async function write(
    stored: StoredDocument,
    next: Entity | null | undefined,
    extra: BookkeepingWrite,
  ): Promise<boolean> {
    if (next === null && !outbox) {
      cache.delete(stored._id);
      return removeWithoutTombstone(collection, stored);
    }
    const { set, unset } = next === undefined ? { set: {}, unset: [] } : changesBetween(stateOf(stored), next);
    const stamp = newStamp();
    const removed = [...unset, ...(extra.unset ?? [])];
    const fields = {
      ...set,
      ...extra.set,
      _version: stored._version + 1,
      _deleted: next === undefined ? stored._deleted : next === null,
      // Under the version guard these are the latest ones; a plain assignment costs the server less than a push.
      _stamps: withStamp(stored._stamps, stamp),
    };
    const push = Object.fromEntries(Object.entries(extra.push ?? {}).filter(([, values]) => values.length > 0));
    const written = await writes.update({
      id: stored._id,
      version: stored._version,
      guard: extra.guard,
      set: fields,
      unset: removed,
      push,
      stamp,
      deletes: next === null,
    });
    if (!written) {
      cache.delete(stored._id);
      return false;
    }
    const known = cache.get(stored._id);
    // Bookkeeping that was changed meanwhile stays changed.
    const before = known?._version === stored._version ? known : stored;
    const after: Record<string, unknown> = { ...before, ...fields };
    for (const name of removed) delete after[name];
    for (const [name, values] of Object.entries(push))
      after[name] = [...((before[name] as unknown[]) ?? []), ...values];
    const document = after as unknown as StoredDocument;
    // What is stored has no field that is undefined.
    if (next && !Object.values(next).includes(undefined)) states.set(document, next);
    cache.set(document);
    await outbox?.afterWrite(document, extra);
    return true;
  }

  async function update(
    stored: StoredDocument,
    state: Entity | null,
    effects: AnyEffects,
    unchanged: boolean,
  ): Promise<'written' | 'unchanged' | 'conflict'> {
    const extra = outbox?.write(stored, state === null, effects);
    if (unchanged && extra === undefined) return 'unchanged';
    return (await write(stored, state, extra ?? {})) ? 'written' : 'conflict';
  }

  /** False when it has just been created by another writer. An id is used once: nothing is created on a tombstone. */
  async function insertIfAbsent(state: Entity, companyId: string | undefined, effects: AnyEffects): Promise<boolean> {
    try {
      await insert(state, effects);
      return true;
    } catch (error) {
      if (collidedIndex(error) !== '_id_') throw error;
      const stored = await reader.readAny(state.id);
      if (stored && (stored._deleted || (companyId !== undefined && stored.companyId !== companyId))) throw missing();
      return false;
    }
  }

  async function change<State extends Entity, Chosen extends DecisionWith<State | null, AnyEffects>>(
    id: string,
    companyId: string | undefined,
    decide: (current: State | undefined) => Chosen | undefined,
    from?: StoredDocument,
  ): Promise<Chosen | undefined> {
    /** Undefined when it has to be decided again: another writer was first, or the decision on a cached document led to no guarded write. */
    async function decideOn(stored: StoredDocument | undefined, isCached: boolean) {
      const current = stored && stateOf<State>(stored);
      const decision = isCached ? tryOrUndefined(() => decide(current)) : decide(current);
      if (isCached && !decision?.ok) return undefined;
      if (!decision) return { result: undefined };
      if (!decision.ok) throw new Refused(decision.refusal);
      const { state } = decision;
      const effects: AnyEffects = decision as DecisionWith<State | null, AnyEffects> & { ok: true };
      if (state !== null && (state.id !== id || !isOf(companyId, state)))
        throw new Error(`a decision about ${id} is about another document`);
      const outcome = stored
        ? await update(stored, state, effects, state === current)
        : state === null || (await insertIfAbsent(state, companyId, effects))
          ? 'written'
          : 'conflict';
      return outcome === 'written' || (outcome === 'unchanged' && !isCached) ? { result: decision } : undefined;
    }

    try {
      const cached = from ? undefined : reader.cached(id, companyId);
      const done = cached && (await decideOn(cached, true));
      if (done) return done.result;
      let known = from;
      return await retryOnConflict(`${collection.collectionName} ${id}`, async () => {
        const stored = known ?? (await reader.read(id, companyId));
        known = undefined;
        return decideOn(stored, false);
      });
    } catch (error) {
      throw refusalFor(error);
    }
  }

  async function updateBookkeeping(
    id: string,
    decide: (stored: StoredDocument) => Revision | undefined,
  ): Promise<boolean> {
    const cached = cache.get(id);
    const revised = cached && tryOrUndefined(() => decide(cached));
    if (cached && revised && (await write(cached, revised.state, revised.extra))) return true;
    return retryOnConflict(`${collection.collectionName} ${id}`, async () => {
      const stored = await reader.readAny(id);
      const revision = stored && decide(stored);
      if (!revision) return { result: false };
      return (await write(stored, revision.state, revision.extra)) ? { result: true } : undefined;
    });
  }

  return {
    async create(companyId, decision) {
      if (!decision.ok) throw new Refused(decision.refusal);
      if (!isOf(companyId, decision.state)) throw new Error('a document of another company');
      await insert(decision.state, decision).catch((error: unknown) => {
        throw refusalFor(error);
      });
      return decision.state;
    },
    // The key includes the company, because waiting in another company's queue would reveal that the id exists.
    change: (id, companyId, decide, from) => queue.run(`${companyId}/${id}`, () => change(id, companyId, decide, from)),
    async updateBookkeeping(id, decide, isWanted = () => true) {
      const { companyId } = cache.get(id) ?? {};
      // Queued with this process's own changes, which it would conflict with.
      const key = companyId === undefined ? newStamp() : `${companyId}/${id}`;
      return queue.run(key, async () => isWanted() && updateBookkeeping(id, decide));
    },
  };
}

function tryOrUndefined<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** The refusal for a document that is not there. */
export function missing(): Refused {
  return new Refused(notFound);
}

function isOf(companyId: string | undefined, state: Entity & { companyId?: string }): boolean {
  return companyId === undefined || state.companyId === companyId;
}
