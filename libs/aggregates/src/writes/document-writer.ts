import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DecisionWith, notFound, Refused, type Refusal } from '@parley/errors';
import type { Collection, Document, IndexDescription } from 'mongodb';
import { changesBetween, type Entity, type StoredDocument, toFields, toState } from './stored-document.ts';
import { coalesce, keyedQueue } from '@parley/queues';
import type { Guard } from './guarded-update.ts';
import { groupedWrites } from './grouped-writes.ts';
import { collidedIndex, QUERY_TIME_MAX_MS, whileUnreachable } from '@parley/mongo';
import { recentDocuments } from './recent-documents.ts';

/** What a layer above the documents adds to one write: fields whose names begin with an underscore. */
export interface ExtraWrite {
  readonly set?: Readonly<Record<string, unknown>>;
  readonly unset?: readonly string[];
  /** Appended to arrays that unversioned writes change as well. */
  readonly push?: Readonly<Record<string, readonly unknown[]>>;
  /** What must still be true of the document besides its version. */
  readonly guard?: Guard;
  /** Gets the document as it was written, before the change is reported as done; a promise delays that. */
  readonly onWritten?: (written: StoredDocument) => Promise<void> | undefined;
}

/** A layer above the documents that keeps its own bookkeeping in them, written in the same update as the state. */
export interface DocumentExtension<SomeEffects> {
  /** Its fields, left out when documents are read for their state only. */
  readonly fields: readonly string[];
  readonly indexes: readonly (IndexDescription & { name: string })[];
  /**
   * What it writes along with a decision. `before` is undefined for a new document. Nothing to add is undefined. A
   * deleted document becomes a tombstone, which the layer removes when it no longer needs it.
   */
  write(before: StoredDocument | undefined, deleted: boolean, effects: SomeEffects): ExtraWrite | undefined;
  /** True of documents in which the layer has nothing left to do; others are not removed by expiry. */
  readonly idle: Document;
}

/** A versioned write that a layer above the documents makes on its own account, on tombstones as well. */
export interface Revision {
  /** Undefined leaves the state as it is. */
  readonly state?: Entity | null;
  readonly extra: ExtraWrite;
}

/** Reads and writes of one collection, each write guarded by the version it was decided on. */
export interface DocumentWriter<SomeEffects> {
  /** `companyId` undefined means any company's; an id of another company is an unknown id. */
  read(id: string, companyId: string | undefined): Promise<StoredDocument | undefined>;
  /** As this process wrote or read it last; reads it if that is not known. */
  readRecent(id: string, companyId: string | undefined): Promise<StoredDocument | undefined>;
  create<State extends Entity>(
    companyId: string | undefined,
    decision: DecisionWith<State, SomeEffects>,
  ): Promise<State>;
  /**
   * Decides on the document, or on undefined when there is none, and writes; decides again after a conflict. `from` saves
   * the first read. Without a decision nothing is written.
   */
  change<State extends Entity, Chosen extends DecisionWith<State | null, SomeEffects>>(
    id: string,
    companyId: string | undefined,
    decide: (current: State | undefined) => Chosen | undefined,
    from?: StoredDocument,
  ): Promise<Chosen | undefined>;
  /**
   * For the layer above; false when there is no document, when `decide` returns undefined, or when it is no longer wanted
   * once earlier changes are done. Throws what `decide` throws, and may call it several times.
   */
  updateBookkeeping(
    id: string,
    decide: (stored: StoredDocument) => Revision | undefined,
    isWanted?: () => boolean,
  ): Promise<boolean>;
  /** The cached document of this process, if any: may be outdated, so writes are guarded by its version. */
  recent(id: string): StoredDocument | undefined;
  /** Caches a document that was not written by the writer. */
  cache(stored: StoredDocument): void;
  /** The layer above has changed bookkeeping by an unversioned write: the cached document is changed likewise. */
  patchCached(id: string, change: (stored: StoredDocument) => StoredDocument): void;
}

/** Changes of one document are queued within a process; when the database hangs, waiting longer does not help. */
const QUEUE_RUN_MAX_MS = 2000;
/** How often a decision is repeated because other processes write the same document. */
const CONFLICTS_MAX = 100;
const CONFLICT_PAUSE_MAX_MS = 50;
/** How long reads and writes of frequent requests wait for others: a command costs more than what is in it. */
const GATHER_MS = 5;
/** One at a time, so that requests that arrive meanwhile are read together; a hanging one does not delay others. */
export const READS = { batchMax: 100, waitMaxMs: 100, gatherMs: GATHER_MS };
/** So many other writes may happen between a write whose response was lost and the check whether it was done. */
const STAMPS_MAX = 10;

/** Opens the writes of a collection. */
export function documentWriter<SomeEffects>(options: {
  collection: Collection<StoredDocument>;
  collisions: Readonly<Record<string, Refusal>>;
  extension: DocumentExtension<SomeEffects> | undefined;
  /** The size of the cache. */
  recentMax?: number;
  gatherMs?: number;
}): DocumentWriter<SomeEffects> {
  const { collection, collisions, extension, recentMax = 0, gatherMs = GATHER_MS } = options;
  const queue = keyedQueue(QUEUE_RUN_MAX_MS);
  const writes = groupedWrites(collection, gatherMs);
  const recent = recentDocuments(recentMax);

  /** By id alone, which needs no query plan; the company is checked here. */
  const find = coalesce(async (ids: readonly string[]): Promise<(StoredDocument | undefined)[]> => {
    const bounded = { maxTimeMS: QUERY_TIME_MAX_MS };
    if (ids.length === 1)
      return [(await whileUnreachable(() => collection.findOne({ _id: ids[0]! }, bounded))) ?? undefined];
    const all = { _id: { $in: [...new Set(ids)] } };
    const found = await whileUnreachable(() => collection.find(all, bounded).toArray());
    const byId = new Map(found.map((stored) => [stored._id, stored]));
    return ids.map((id) => byId.get(id));
  }, READS);

  async function readAny(id: string): Promise<StoredDocument | undefined> {
    const stored = await find(id);
    if (stored) recent.keep(stored);
    else recent.forget(id);
    return stored;
  }

  const inScope = (stored: StoredDocument | undefined, companyId: string | undefined) =>
    !stored || stored._deleted || (companyId !== undefined && stored.companyId !== companyId) ? undefined : stored;

  const read = async (id: string, companyId: string | undefined) => inScope(await readAny(id), companyId);

  function refusalFor(error: unknown): unknown {
    const index = collidedIndex(error);
    const refusal = index === undefined ? undefined : collisions[index];
    return refusal ? new Refused(refusal) : error;
  }

  async function insert(state: Entity, effects: SomeEffects): Promise<void> {
    const extra = extension?.write(undefined, false, effects);
    const stored: StoredDocument = {
      _id: state.id,
      ...toFields(state),
      ...extra?.set,
      ...extra?.push,
      _version: 1,
      _stamps: [newStamp()],
      _deleted: false,
    };
    await writes.insert(stored);
    recent.keep(stored);
    await extra?.onWritten?.(stored);
  }

  /** False when the document is no longer the one that was decided on. */
  async function write(stored: StoredDocument, next: Entity | null | undefined, extra: ExtraWrite): Promise<boolean> {
    const { set, unset } = next === undefined ? { set: {}, unset: [] } : changesBetween(toState(stored), next);
    const stamp = newStamp();
    const removed = [...unset, ...(extra.unset ?? [])];
    const fields = {
      ...set,
      ...extra.set,
      _version: stored._version + 1,
      _deleted: next === undefined ? stored._deleted : next === null,
      // Under the version guard these are the latest ones; a plain assignment costs the server less than a push.
      _stamps: [...stored._stamps, stamp].slice(-STAMPS_MAX),
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
      recent.forget(stored._id);
      return false;
    }
    if (recentMax > 0 || extra.onWritten) {
      const known = recent.get(stored._id);
      // Bookkeeping that was changed meanwhile stays changed.
      const before = known?._version === stored._version ? known : stored;
      const after: Record<string, unknown> = { ...before, ...fields };
      for (const name of removed) delete after[name];
      for (const [name, values] of Object.entries(push))
        after[name] = [...((before[name] as unknown[]) ?? []), ...values];
      recent.keep(after as unknown as StoredDocument);
      await extra.onWritten?.(after as unknown as StoredDocument);
    }
    return true;
  }

  /** Without a layer above there are no tombstones. */
  async function remove({ _id, _version }: StoredDocument): Promise<boolean> {
    recent.forget(_id);
    return whileUnreachable(async (attempt) => {
      const { deletedCount } = await collection.deleteOne({ _id, _version });
      return deletedCount === 1 || (attempt > 0 && (await collection.findOne({ _id })) === null);
    });
  }

  /** Repeats `attempt` while it is undefined because of a conflicting write. */
  async function retryOnConflict<T>(id: string, attempt: () => Promise<{ result: T } | undefined>): Promise<T> {
    for (let conflict = 0; conflict < CONFLICTS_MAX; conflict++) {
      const done = await attempt();
      if (done) return done.result;
      await sleep(Math.random() * Math.min(2 ** conflict, CONFLICT_PAUSE_MAX_MS));
    }
    throw new Error(`too many writers at ${collection.collectionName} ${id}`);
  }

  async function update(
    stored: StoredDocument,
    state: Entity | null,
    effects: SomeEffects,
    unchanged: boolean,
  ): Promise<'written' | 'unchanged' | 'conflict'> {
    if (state === null && !extension) return (await remove(stored)) ? 'written' : 'conflict';
    const extra = extension?.write(stored, state === null, effects);
    if (unchanged && extra === undefined) return 'unchanged';
    return (await write(stored, state, extra ?? {})) ? 'written' : 'conflict';
  }

  /** False when it has just been created by another writer. An id is used once: nothing is created on a tombstone. */
  async function insertIfAbsent(state: Entity, companyId: string | undefined, effects: SomeEffects): Promise<boolean> {
    try {
      await insert(state, effects);
      return true;
    } catch (error) {
      if (collidedIndex(error) !== '_id_') throw error;
      const stored = await readAny(state.id);
      if (stored && (stored._deleted || (companyId !== undefined && stored.companyId !== companyId))) throw missing();
      return false;
    }
  }

  async function change<State extends Entity, Chosen extends DecisionWith<State | null, SomeEffects>>(
    id: string,
    companyId: string | undefined,
    decide: (current: State | undefined) => Chosen | undefined,
    from?: StoredDocument,
  ): Promise<Chosen | undefined> {
    /** Undefined when it has to be decided again: another writer was first, or the decision on a cached document led to no guarded write. */
    async function decideOn(stored: StoredDocument | undefined, isCached: boolean) {
      const current = stored && toState<State>(stored);
      const decision = isCached ? tryOrUndefined(() => decide(current)) : decide(current);
      if (isCached && !decision?.ok) return undefined;
      if (!decision) return { result: undefined };
      if (!decision.ok) throw new Refused(decision.refusal);
      const { state } = decision;
      const effects: SomeEffects = decision as DecisionWith<State | null, SomeEffects> & { ok: true };
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
      const cached = from ? undefined : inScope(recent.get(id), companyId);
      const done = cached && (await decideOn(cached, true));
      if (done) return done.result;
      let known = from;
      return await retryOnConflict(id, async () => {
        const stored = known ?? (await read(id, companyId));
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
    /** Undefined when it has to be decided again. */
    async function reviseOn(stored: StoredDocument, revision: Revision | undefined) {
      if (!revision) return undefined;
      const written =
        revision.state === null && !extension
          ? await remove(stored)
          : await write(stored, revision.state, revision.extra);
      return written ? { result: true } : undefined;
    }
    const cached = recent.get(id);
    if (
      cached &&
      (await reviseOn(
        cached,
        tryOrUndefined(() => decide(cached)),
      ))
    )
      return true;
    return retryOnConflict(id, async () => {
      const stored = await readAny(id);
      const revision = stored && decide(stored);
      return revision ? reviseOn(stored, revision) : { result: false };
    });
  }

  return {
    read,
    readRecent: async (id, companyId) => inScope(recent.get(id), companyId) ?? (await read(id, companyId)),
    async create(companyId, decision) {
      if (!decision.ok) throw new Refused(decision.refusal);
      if (!isOf(companyId, decision.state)) throw new Error('a document of another company');
      await insert(decision.state, decision).catch((error: unknown) => {
        throw refusalFor(error);
      });
      return decision.state;
    },
    // By company: another company's queue would reveal that there is something to wait for.
    change: (id, companyId, decide, from) => queue.run(`${companyId}/${id}`, () => change(id, companyId, decide, from)),
    async updateBookkeeping(id, decide, isWanted = () => true) {
      const { companyId } = recent.get(id) ?? {};
      // Queued with this process's own changes, which it would conflict with.
      const key = companyId === undefined ? newStamp() : `${companyId}/${id}`;
      return queue.run(key, async () => isWanted() && updateBookkeeping(id, decide));
    },
    recent: (id) => recent.get(id),
    cache: (stored) => recent.keep(stored),
    patchCached(id, patched) {
      const stored = recent.get(id);
      if (stored) recent.keep(patched(stored));
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

/** Only has to differ from the few others in one document. */
export function newStamp(): string {
  return randomBytes(6).toString('base64url');
}
