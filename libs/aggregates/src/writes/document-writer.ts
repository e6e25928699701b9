import { setTimeout as sleep } from 'node:timers/promises';
import { type DecisionWith, notFound, Refused, type Refusal } from '@parley/errors';
import { collidedIndex } from '@parley/mongo';
import { keyedQueue, batching } from '@parley/queues';
import type { Collection } from 'mongodb';
import type { AnyEffects, Outbox } from '../outbox/outbox.ts';
import type { BookkeepingWrite } from '../stored/bookkeeping.ts';
import type { DocumentReader, DocumentCache } from '../stored/document-reader.ts';
import { type Entity, type StoredDocument, toFields, toState } from '../stored/stored-document.ts';
import { groupedWrites } from './grouped-writes.ts';
import { afterUpdate, updateTo, newStamp } from './guarded-update.ts';

/** A versioned write of bookkeeping, on tombstones as well. */
export interface Revision {
  /** Undefined leaves the state as it is. */
  readonly state?: Entity | null;
  readonly extra: BookkeepingWrite;
}

type DecideRevision = (stored: StoredDocument) => Revision | undefined;

/** Writes of one collection, each guarded by the version it was decided on. */
export type DocumentWriter = ReturnType<typeof documentWriter>;

/** Changes of one document are queued within a process; when the database hangs, waiting longer does not help. */
const QUEUE_RUN_MAX_MS = 2000;
/** A decision is repeated when another process has written the same document. */
const CONFLICTS_MAX = 100;
const PAUSE_MAX_MS = 50;

/** Opens the writes of a collection; without an outbox its documents have no events, commands and timers. */
export function documentWriter(options: {
  collection: Collection<StoredDocument>;
  reader: DocumentReader;
  cache: DocumentCache;
  outbox: Outbox | undefined;
  collisions: Readonly<Record<string, Refusal>>;
  writeWaitMs: number | undefined;
  firstVersion: () => number;
}) {
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

  /** For `catch`: a collision that has a refusal is thrown as that. */
  function throwRefusal(error: unknown): never {
    const index = collidedIndex(error);
    const refusal = index === undefined ? undefined : collisions[index];
    throw refusal ? new Refused(refusal) : error;
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

  /** False when it has just been created by another writer. An id is used once: nothing is created on a tombstone. */
  async function insertIfAbsent(state: Entity, companyId: string | undefined, effects: AnyEffects): Promise<boolean> {
    try {
      await insert(state, effects);
      return true;
    } catch (error) {
      if (collidedIndex(error) !== '_id_') throw error;
      const stored = await reader.readAny(state.id);
      if (stored && (stored._deleted || !isInScope(stored, companyId))) throw missing();
      return false;
    }
  }

  /** False when the document is no longer the one that was decided on. */
  async function update(stored: StoredDocument, { state, extra }: Revision): Promise<boolean> {
    if (state === null && !outbox) {
      cache.delete(stored._id);
      return writes.remove(stored);
    }
    const written = updateTo(state, stored, () => stateOf(stored), extra);
    if (!(await writes.update(written))) {
      cache.delete(stored._id);
      return false;
    }
    const known = cache.get(stored._id);
    // Bookkeeping that was changed meanwhile stays changed.
    const document = afterUpdate(known?._version === stored._version ? known : stored, written);
    // What is stored has no field that is undefined.
    if (state && !Object.values(state).includes(undefined)) states.set(document, state);
    cache.set(document);
    await outbox?.afterWrite(document, extra);
    return true;
  }

  async function writeState(
    id: string,
    companyId: string | undefined,
    stored: StoredDocument | undefined,
    decision: AnyEffects & { readonly state: Entity | null },
  ): Promise<'written' | 'unchanged' | 'conflict'> {
    const { state } = decision;
    if (state !== null && (state.id !== id || !isInScope(state, companyId)))
      throw new Error(`a decision about ${id} is about another document`);
    if (!stored) return state === null || (await insertIfAbsent(state, companyId, decision)) ? 'written' : 'conflict';
    const extra = outbox?.write(stored, state === null, decision);
    if (extra === undefined && state === stateOf(stored)) return 'unchanged';
    return (await update(stored, { state, extra: extra ?? {} })) ? 'written' : 'conflict';
  }

  /**
   * Decides on the document, or on undefined when there is none, and writes; decides again after a conflict. `from` saves
   * the first read. Without a decision nothing is written.
   */
  async function writeDecision<State extends Entity, Chosen extends DecisionWith<State | null, AnyEffects>>(
    id: string,
    companyId: string | undefined,
    decide: (current: State | undefined) => Chosen | undefined,
    from?: StoredDocument,
  ): Promise<Chosen | undefined> {
    const cached = from ? undefined : reader.cached(id, companyId);
    const early = cached && tryOrUndefined(() => decide(stateOf<State>(cached)));
    // Only a guarded write proves that the cached document is the current one; what leads to none is decided again.
    if (early?.ok && (await writeState(id, companyId, cached, early)) === 'written') return early;
    let known = from;
    return retryOnConflict(`${collection.collectionName} ${id}`, async () => {
      const stored = known ?? (await reader.read(id, companyId));
      known = undefined;
      const decision = decide(stored && stateOf<State>(stored));
      if (!decision) return { result: undefined };
      if (!decision.ok) throw new Refused(decision.refusal);
      const outcome = await writeState(id, companyId, stored, decision);
      return outcome === 'conflict' ? undefined : { result: decision };
    });
  }

  async function updateBookkeeping(id: string, decide: DecideRevision): Promise<boolean> {
    const cached = cache.get(id);
    const early = cached && tryOrUndefined(() => decide(cached));
    if (cached && early && (await update(cached, early))) return true;
    return retryOnConflict(`${collection.collectionName} ${id}`, async () => {
      const stored = await reader.readAny(id);
      const revision = stored && decide(stored);
      if (!revision) return { result: false };
      return (await update(stored, revision)) ? { result: true } : undefined;
    });
  }

  /** The key includes the company, because waiting in another company's queue would reveal that the id exists. */
  const keyOf = (id: string, companyId: string | undefined) => `${companyId}/${id}`;
  /** Bookkeeping is queued with this process's own changes, which it would conflict with. */
  function queueBookkeeping(id: string, write: () => Promise<boolean>): Promise<boolean> {
    const { companyId } = cache.get(id) ?? {};
    return queue.run(companyId === undefined ? newStamp() : keyOf(id, companyId), write);
  }

  return {
    async create<State extends Entity>(
      companyId: string | undefined,
      decision: DecisionWith<State, AnyEffects>,
    ): Promise<State> {
      if (!decision.ok) throw new Refused(decision.refusal);
      if (!isInScope(decision.state, companyId)) throw new Error('a document of another company');
      await insert(decision.state, decision).catch(throwRefusal);
      return decision.state;
    },
    writeDecision: ((id, companyId, decide, from) =>
      queue.run(keyOf(id, companyId), () =>
        writeDecision(id, companyId, decide, from).catch(throwRefusal),
      )) as typeof writeDecision,
    /** False when there is no document, or when `decide` returns undefined. Throws what `decide` throws, and may call it several times. */
    updateBookkeeping: (id: string, decide: DecideRevision) =>
      queueBookkeeping(id, () => updateBookkeeping(id, decide)),
    /** Writes a document without its published events and confirmed commands, if that is still wanted once earlier changes are done. */
    removeFinished(id: string, isWanted: () => boolean): Promise<boolean> {
      const withoutFinished = (stored: StoredDocument) => {
        const extra = outbox?.write(stored, stored._deleted);
        return extra && { extra };
      };
      return queueBookkeeping(id, async () => isWanted() && updateBookkeeping(id, withoutFinished));
    },
  };
}

/** Repeats `attempt` while it is undefined because of a conflicting write of the document. */
async function retryOnConflict<T>(document: string, attempt: () => Promise<{ result: T } | undefined>): Promise<T> {
  for (let conflict = 0; conflict < CONFLICTS_MAX; conflict++) {
    const done = await attempt();
    if (done) return done.result;
    await sleep(Math.random() * Math.min(2 ** conflict, PAUSE_MAX_MS));
  }
  throw new Error(`too many writers at ${document}`);
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

function isInScope(document: object & { readonly companyId?: string }, companyId: string | undefined): boolean {
  return companyId === undefined || document.companyId === companyId;
}
