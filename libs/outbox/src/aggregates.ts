import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@parley/clock';
import { type Decision, notFound, Refused, type Refusal } from '@parley/errors';
import { nounOf } from '@parley/events';
import { newId } from '@parley/ids';
import { collidedIndex, QUERY_TIME_MAX_MS, whileUnreachable } from '@parley/store';
import { currentTraceparent } from '@parley/telemetry';
import {
  Binary,
  type Collection,
  type Db,
  type Document,
  type Filter,
  type FindCursor,
  type IndexDescription,
  type Sort,
} from 'mongodb';
import {
  type Aggregate,
  changesBetween,
  type OutboxEntry,
  stateOnly,
  type Stored,
  toFields,
  toState,
} from './document.ts';
import type { Relay } from './relay.ts';
import { takeTurns } from './turns.ts';

/** An event as bytes: its type and the binary form of the type's message. */
export interface EncodedEvent {
  readonly type: string;
  readonly data: Uint8Array;
}

/** Where aggregates of a kind are kept, and what their events look like as bytes. */
export interface AggregatesOptions<Event> {
  db: Db;
  collection: string;
  relay: Relay;
  clock: Clock;
  encode: (event: Event) => EncodedEvent;
  /** A unique one binds living aggregates only: a tombstone takes nobody's place. */
  indexes?: readonly (IndexDescription & { name: string })[];
  /** Unique index to the refusal that a collision with it means. */
  collisions?: Readonly<Record<string, Refusal>>;
}

/** What of a company's aggregates a query may ask for; the company itself is not up to the query. */
export type CompanyFilter<State> = Filter<Omit<State, 'id' | 'companyId'>>;

/** One company's aggregates of a kind. Another company's id is an unknown id here, by construction. */
export interface CompanyAggregates<State extends Aggregate, Event> {
  get(id: string): Promise<State | undefined>;
  findOne(filter: CompanyFilter<State>): Promise<State | undefined>;
  /** In the given order; read it to its end or leave the loop, never keep it. */
  find(filter: CompanyFilter<State>, sort: Sort, limit?: number): AsyncIterable<State>;
  /**
   * The same for a list of any length, some at a time. Between two chunks it rests as long as the last one took, its
   * reader's work included: whoever asks for a long list waits for it, and not everybody else.
   */
  findInChunks(filter: CompanyFilter<State>, sort: Sort): AsyncIterable<State[]>;
  /** How many there are, counting no further than `limit`. */
  count(limit: number): Promise<number>;
  /** Stores what `decide` makes of nothing. Throws `Refused`. */
  create(decision: Decision<State, Event>): Promise<State>;
  /** Reads, decides, writes; decides again when another process was faster. A null state deletes. Throws `Refused`. */
  change<Next extends State | null>(id: string, decide: (current: State) => Decision<Next, Event>): Promise<Next>;
}

/** All aggregates of a kind. */
export interface Aggregates<State extends Aggregate, Event> {
  of(companyId: string): CompanyAggregates<State, Event>;
  /** For facts that are unique across companies and for work no company asked for; say why where it is used. */
  acrossCompanies: {
    findOne(filter: Filter<Omit<State, 'id'>>): Promise<State | undefined>;
    get(id: string): Promise<State | undefined>;
  };
  readonly collection: Collection<Stored<State>>;
}

/** Entries with their sequences, and the counts that follow from them. */
interface NumberedEntries {
  readonly entries: OutboxEntry[];
  readonly counts: Record<string, number>;
}

/** Documents per answer of the server; left to itself it sends 16 MB at once, which a long list would hold in memory. */
const BATCH = 100;
/** Aggregates that are handed on together: enough to be cheap, few enough to pass in a blink. */
const CHUNK = 50;
/** A reader who is slow himself is not kept waiting. */
const REST_MS_MAX = 5;

/** Within a process the changes of one document queue; where the database hangs, waiting longer would help nobody. */
const TURN_WAIT_MAX_MS = 2000;
/** Writers of several processes that meet on one document decide again this often. */
const CLASHES_MAX = 100;
const CLASH_PAUSE_MAX_MS = 50;
/** As many writers may come between a write whose answer was lost and the look whether it was done. */
const STAMPS_MAX = 10;
/** Well below what NATS takes: an event that cannot be published must not be stored either. */
const EVENT_BYTES_MAX = 512 * 1024;

/** Opens a collection of aggregates and has the relay look after it. */
export async function openAggregates<State extends Aggregate, Event>(
  options: AggregatesOptions<Event>,
): Promise<Aggregates<State, Event>> {
  const { db, relay, clock, encode, collisions = {} } = options;
  const collection = db.collection<Stored<State>>(options.collection);
  await collection.createIndexes([
    { key: { _pendingSince: 1 }, name: 'pending', partialFilterExpression: { _pendingSince: { $exists: true } } },
    ...(options.indexes ?? []).map(excludingTombstones),
  ]);
  const untyped = collection as unknown as Collection<Stored<Aggregate>>;
  relay.watch(untyped);

  const turns = takeTurns(TURN_WAIT_MAX_MS);
  const query = { maxTimeMS: QUERY_TIME_MAX_MS, projection: stateOnly };
  const entriesOf = (events: readonly Event[], counts: Record<string, number>): NumberedEntries => {
    const after = { ...counts };
    const entries = events.map((event) => {
      const { type, data } = encode(event);
      if (data.byteLength > EVENT_BYTES_MAX) throw new Error(`${type} of ${data.byteLength} bytes is too large`);
      const sequence = (after[nounOf(type)] ?? 0) + 1;
      after[nounOf(type)] = sequence;
      const traceparent = currentTraceparent() ?? null;
      return { id: newId('evt'), type, sequence, occurredAt: clock.now(), traceparent, data: new Binary(data) };
    });
    return { entries, counts: after };
  };

  async function read(filter: Document): Promise<State | undefined> {
    const stored = await whileUnreachable(() =>
      collection.findOne({ ...filter, _deleted: false } as Filter<Stored<State>>, query),
    );
    return stored ? toState<State>(stored as unknown as { _id: string }) : undefined;
  }

  /**
   * By id alone, which the server answers without planning a query; whose it is, is looked at here. `companyId`
   * undefined means any company's.
   */
  async function byId(id: string, companyId: string | undefined): Promise<Stored<Aggregate> | undefined> {
    const stored = await whileUnreachable(() => untyped.findOne({ _id: id }, { maxTimeMS: QUERY_TIME_MAX_MS }));
    if (!stored || stored._deleted || (companyId !== undefined && stored.companyId !== companyId)) return undefined;
    return stored;
  }

  async function get(id: string, companyId: string | undefined): Promise<State | undefined> {
    const stored = await byId(id, companyId);
    return stored && toState<State>(stored);
  }

  function refusalFor(error: unknown): unknown {
    const index = collidedIndex(error);
    const refusal = index === undefined ? undefined : collisions[index];
    return refusal ? new Refused(refusal) : error;
  }

  async function create(companyId: string, decision: Decision<State, Event>): Promise<State> {
    if (!decision.ok) throw new Refused(decision.refusal);
    const { state, events } = decision;
    if (state.companyId !== companyId) throw new Error('an aggregate of another company');
    const lease = events.length > 0 ? relay.lease() : null;
    const numbered = entriesOf(events, {});
    const stored = {
      _id: state.id,
      ...toFields(state),
      _version: 1,
      _eventCounts: numbered.counts,
      _outbox: numbered.entries,
      ...(lease && { _pendingSince: new Date() }),
      _relay: lease,
      _stamps: [newStamp()],
      _deleted: false,
    };
    await whileUnreachable(async (attempt) => {
      try {
        await untyped.insertOne(stored);
      } catch (error) {
        // A repeated insert that meets itself: the first one's answer was lost, not the document.
        if (
          attempt > 0 &&
          collidedIndex(error) !== undefined &&
          (await untyped.findOne({ _id: state.id, _stamps: stored._stamps[0] }))
        )
          return;
        throw error;
      }
    }).catch((error: unknown) => {
      throw refusalFor(error);
    });
    if (lease) relay.carry(untyped, stored, lease.owner);
    return state;
  }

  /** The write that follows from a decision; false when the document is no longer the one that was decided on. */
  async function write(stored: Stored<Aggregate>, next: State | null, events: readonly Event[]): Promise<boolean> {
    const { entries, counts } = entriesOf(events, stored._eventCounts);
    const { set, unset } = changesBetween(toState(stored), next);
    // A tombstone without events needs the relay as well: it is the one that removes it.
    const toCarry = entries.length > 0 || next === null;
    const free = stored._relay === null || stored._relay.until < new Date();
    const lease = toCarry && free ? relay.lease() : null;
    const stamp = newStamp();
    const update = {
      $set: {
        ...set,
        _version: stored._version + 1,
        _eventCounts: counts,
        _deleted: next === null,
        ...(toCarry && stored._pendingSince === undefined && { _pendingSince: new Date() }),
        ...(lease && { _relay: lease }),
      },
      ...(Object.keys(unset).length > 0 && { $unset: unset }),
      $push: {
        _stamps: { $each: [stamp], $slice: -STAMPS_MAX },
        ...(entries.length > 0 && { _outbox: { $each: entries } }),
      },
    };
    // Whoever carries now will carry these too, but only if it has not finished since: then they would be nobody's.
    const carrier = toCarry && { '_relay.owner': stored._relay?.owner ?? null };
    const filter = { _id: stored._id, _version: stored._version, ...carrier };
    const changed = await whileUnreachable(async (attempt) => {
      const { modifiedCount } = await untyped.updateOne(filter, update as never);
      return modifiedCount === 1 || (attempt > 0 && (await wasDone(stored._id, stamp, next === null)));
    });
    if (changed && lease) {
      relay.carry(
        untyped,
        { ...stored, _outbox: [...stored._outbox, ...entries], _deleted: next === null },
        lease.owner,
      );
    }
    return changed;
  }

  /** Whether a write whose answer was lost was done. A deleted document may be gone altogether. */
  async function wasDone(id: string, stamp: string, deleted: boolean): Promise<boolean> {
    const found = await untyped.findOne({ _id: id }, { projection: { _stamps: 1 } });
    return found ? found._stamps.includes(stamp) : deleted;
  }

  async function change<Next extends State | null>(
    companyId: string,
    id: string,
    decide: (current: State) => Decision<Next, Event>,
  ): Promise<Next> {
    for (let clash = 0; clash < CLASHES_MAX; clash++) {
      const stored = await byId(id, companyId);
      if (!stored) throw new Refused(notFound);
      const decision = decide(toState<State>(stored));
      if (!decision.ok) throw new Refused(decision.refusal);
      try {
        if (await write(stored, decision.state, decision.events)) return decision.state;
      } catch (error) {
        throw refusalFor(error);
      }
      await sleep(Math.random() * Math.min(2 ** clash, CLASH_PAUSE_MAX_MS));
    }
    throw new Error(`too many writers at ${options.collection} ${id}`);
  }

  const open = (companyId: string, filter: CompanyFilter<State>, sort: Sort, limit?: number) => {
    const scoped = { ...filter, companyId, _deleted: false } as Filter<Stored<State>>;
    const cursor = collection.find(scoped, query).sort(sort).batchSize(BATCH);
    // With a limit of 0, its word for none, the driver asks for more in every batch.
    return (limit === undefined ? cursor : cursor.limit(limit)) as unknown as FindCursor<{ _id: string }>;
  };

  return {
    collection,
    of: (companyId) => ({
      get: (id) => get(id, companyId),
      findOne: (filter) => read({ ...filter, companyId }),
      async *find(filter, sort, limit) {
        for await (const stored of open(companyId, filter, sort, limit)) yield toState<State>(stored);
      },
      async *findInChunks(filter, sort) {
        await using cursor = open(companyId, filter, sort);
        for (let from = performance.now(); await cursor.hasNext(); from = performance.now()) {
          yield cursor.readBufferedDocuments(CHUNK).map((stored) => toState<State>(stored));
          if (await cursor.hasNext()) await sleep(Math.min(performance.now() - from, REST_MS_MAX));
        }
      },
      count: (limit) => untyped.countDocuments({ companyId, _deleted: false }, { limit, maxTimeMS: QUERY_TIME_MAX_MS }),
      create: (decision) => create(companyId, decision),
      // By company: somebody else's queue would tell that there is something to wait for.
      change: (id, decide) => turns.inTurn(`${companyId}/${id}`, () => change(companyId, id, decide)),
    }),
    acrossCompanies: { findOne: read, get: (id) => get(id, undefined) },
  };
}

function excludingTombstones<Index extends IndexDescription>(index: Index): Index {
  if (!index.unique) return index;
  return { ...index, partialFilterExpression: { ...index.partialFilterExpression, _deleted: false } };
}

/** Only has to differ from the few others in one document. */
function newStamp(): string {
  return randomBytes(6).toString('base64url');
}
