import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DecisionWith, notFound, Refused, type Refusal } from '@parley/errors';
import type { Collection, Document, IndexDescription } from 'mongodb';
import { changesBetween, type Entity, type StoredDocument, toFields, toState } from './document.ts';
import { keyedQueue } from './keyed-queue.ts';
import { QUERY_TIME_MAX_MS } from './mongo.ts';
import { collidedIndex, whileUnreachable } from './retry.ts';

/** What a layer above the documents adds to one write: fields whose names begin with an underscore. */
export interface ExtraWrite {
  readonly set?: Readonly<Record<string, unknown>>;
  readonly unset?: readonly string[];
  /** Appended to arrays that are changed beside the versioned writes as well. */
  readonly push?: Readonly<Record<string, readonly unknown[]>>;
  /** What must still be true of the document besides its version. */
  readonly guard?: Document;
  /** Gets the document as it was written, before the writer's caller is answered. */
  readonly onWritten?: (written: StoredDocument) => void;
}

/** A layer above the documents that keeps bookkeeping of its own in them, written in the same update as the state. */
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
  create<State extends Entity>(
    companyId: string | undefined,
    decision: DecisionWith<State, SomeEffects>,
  ): Promise<State>;
  /**
   * Decides on the document, or on undefined when there is none, and writes; decides again when somebody else wrote
   * first. `from` saves the first read. Without a decision nothing is written.
   */
  change<State extends Entity, Chosen extends DecisionWith<State | null, SomeEffects>>(
    id: string,
    companyId: string | undefined,
    decide: (current: State | undefined) => Chosen | undefined,
    from?: StoredDocument,
  ): Promise<Chosen | undefined>;
  /** For the layer above; false when there is no document or `revise` answers undefined. Throws what `revise` throws. */
  revise(id: string, revise: (stored: StoredDocument) => Revision | undefined): Promise<boolean>;
}

/** Within a process the changes of one document queue; where the database hangs, waiting longer would help nobody. */
const QUEUE_RUN_MAX_MS = 2000;
/** Writers of several processes that meet on one document decide again this often. */
const CLASHES_MAX = 100;
const CLASH_PAUSE_MAX_MS = 50;
/** As many writers may come between a write whose answer was lost and the look whether it was done. */
const STAMPS_MAX = 10;

/** Opens the writes of a collection. */
export function documentWriter<SomeEffects>(options: {
  collection: Collection<StoredDocument>;
  collisions: Readonly<Record<string, Refusal>>;
  extension: DocumentExtension<SomeEffects> | undefined;
}): DocumentWriter<SomeEffects> {
  const { collection, collisions, extension } = options;
  const queue = keyedQueue(QUEUE_RUN_MAX_MS);

  /** By id alone, which the server answers without planning a query; whose it is, is looked at here. */
  async function readAny(id: string): Promise<StoredDocument | undefined> {
    const stored = await whileUnreachable(() => collection.findOne({ _id: id }, { maxTimeMS: QUERY_TIME_MAX_MS }));
    return stored ?? undefined;
  }

  async function read(id: string, companyId: string | undefined): Promise<StoredDocument | undefined> {
    const stored = await readAny(id);
    if (!stored || stored._deleted || (companyId !== undefined && stored.companyId !== companyId)) return undefined;
    return stored;
  }

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
    await whileUnreachable(async (attempt) => {
      try {
        await collection.insertOne(stored);
      } catch (error) {
        // A repeated insert that meets itself: the first one's answer was lost, not the document.
        const again = attempt > 0 && collidedIndex(error) !== undefined;
        if (again && (await collection.findOne({ _id: stored._id, _stamps: stored._stamps[0]! }))) return;
        throw error;
      }
    });
    extra?.onWritten?.(stored);
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
    const pushed = Object.entries(extra.push ?? {}).filter(([, values]) => values.length > 0);
    const update = {
      $set: fields,
      ...(removed.length > 0 && { $unset: Object.fromEntries(removed.map((name) => [name, ''])) }),
      ...(pushed.length > 0 && {
        $push: Object.fromEntries(pushed.map(([name, values]) => [name, { $each: values }])),
      }),
    };
    const filter = { _id: stored._id, _version: stored._version, ...extra.guard };
    const changed = await whileUnreachable(async (attempt) => {
      const { modifiedCount } = await collection.updateOne(filter, update as Document);
      return modifiedCount === 1 || (attempt > 0 && (await wasWritten(stored._id, stamp, next === null)));
    });
    if (changed && extra.onWritten) {
      const after: Record<string, unknown> = { ...stored, ...fields };
      for (const name of removed) delete after[name];
      for (const [name, values] of pushed) after[name] = [...((stored[name] as unknown[]) ?? []), ...values];
      extra.onWritten(after as unknown as StoredDocument);
    }
    return changed;
  }

  /** Without a layer above nobody needs a tombstone. */
  async function remove({ _id, _version }: StoredDocument): Promise<boolean> {
    return whileUnreachable(async (attempt) => {
      const { deletedCount } = await collection.deleteOne({ _id, _version });
      return deletedCount === 1 || (attempt > 0 && (await collection.findOne({ _id })) === null);
    });
  }

  /** Whether a write whose answer was lost was done. A deleted document may be gone altogether. */
  async function wasWritten(id: string, stamp: string, deleted: boolean): Promise<boolean> {
    const found = await collection.findOne({ _id: id }, { projection: { _stamps: 1 } });
    return found ? found._stamps.includes(stamp) : deleted;
  }

  /** Repeats `attempt` until it is not undefined: somebody else wrote in between. */
  async function untilDone<T>(id: string, attempt: () => Promise<{ result: T } | undefined>): Promise<T> {
    for (let clash = 0; clash < CLASHES_MAX; clash++) {
      const done = await attempt();
      if (done) return done.result;
      await sleep(Math.random() * Math.min(2 ** clash, CLASH_PAUSE_MAX_MS));
    }
    throw new Error(`too many writers at ${collection.collectionName} ${id}`);
  }

  /** False when somebody else wrote first. */
  async function update(
    stored: StoredDocument,
    state: Entity | null,
    effects: SomeEffects,
    unchanged: boolean,
  ): Promise<boolean> {
    if (state === null && !extension) return remove(stored);
    const extra = extension?.write(stored, state === null, effects);
    return (unchanged && extra === undefined) || write(stored, state, extra ?? {});
  }

  /** False when somebody else has just created it, or while its tombstone is still there. */
  async function insertIfAbsent(state: Entity, companyId: string | undefined, effects: SomeEffects): Promise<boolean> {
    try {
      await insert(state, effects);
      return true;
    } catch (error) {
      if (collidedIndex(error) !== '_id_') throw error;
      const stored = await readAny(state.id);
      if (stored && companyId !== undefined && stored.companyId !== companyId) throw missing();
      return false;
    }
  }

  async function change<State extends Entity, Chosen extends DecisionWith<State | null, SomeEffects>>(
    id: string,
    companyId: string | undefined,
    decide: (current: State | undefined) => Chosen | undefined,
    from?: StoredDocument,
  ): Promise<Chosen | undefined> {
    let known = from;
    return untilDone(id, async () => {
      const stored = known ?? (await read(id, companyId));
      known = undefined;
      const current = stored && toState<State>(stored);
      const decision = decide(current);
      if (!decision) return { result: undefined };
      if (!decision.ok) throw new Refused(decision.refusal);
      const { state } = decision;
      const effects: SomeEffects = decision as DecisionWith<State | null, SomeEffects> & { ok: true };
      if (state !== null && (state.id !== id || !isOf(companyId, state)))
        throw new Error(`a decision about ${id} is about another document`);
      const written = stored
        ? await update(stored, state, effects, state === current)
        : state === null || (await insertIfAbsent(state, companyId, effects));
      return written ? { result: decision } : undefined;
    }).catch((error: unknown) => {
      throw refusalFor(error);
    });
  }

  return {
    read,
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
    revise: (id, revise) =>
      untilDone(id, async () => {
        const stored = await readAny(id);
        const revision = stored && revise(stored);
        if (!revision) return { result: false };
        if (revision.state === null && !extension) return (await remove(stored)) ? { result: true } : undefined;
        return (await write(stored, revision.state, revision.extra)) ? { result: true } : undefined;
      }),
  };
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
