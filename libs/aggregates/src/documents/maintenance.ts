import type { BackgroundWork } from '@parley/clock';
import type { DecisionWith } from '@parley/errors';
import { Refused } from '@parley/errors';
import type { Logger } from '@parley/telemetry';
import type { Collection, Document } from 'mongodb';
import { type Entity, type StoredDocument, toState, withStoredId } from '../stored/stored-document.ts';
import { type AnyEffects, isIdle, type Outbox } from '../outbox/outbox.ts';
import type { DocumentWriter } from '../writes/document-writer.ts';
import { type DueDocument, type DueWork, type DueWorkSettings, startDueWork } from '../due/due-work.ts';
import { type Lease, newLease } from '../stored/bookkeeping.ts';
import { startSweep } from '@parley/mongo';

export interface ExpiryOptions<SomeFilter> {
  /** Matches documents that are no longer needed; its fields need an index. */
  expired: () => SomeFilter;
  everyMs: number;
  backgroundWork: BackgroundWork;
  log: Logger;
}

export interface FieldRemovalOptions<State, SomeFilter> extends ExpiryOptions<SomeFilter> {
  field: keyof State & string;
  /** While it is true, every thirtieth removal is made. */
  isQuiet?: () => boolean;
}

/** A document that is due, leased to this process. */
export interface DueClaim<State, SomeEffects> {
  /**
   * Decides on the document as it is now and releases the lease in the same write; undefined when the lease is lost.
   * The decision must change `due`, or the document is due again at once.
   */
  finish<Next extends State | null>(
    decide: (current: State) => DecisionWith<Next, SomeEffects>,
  ): Promise<Next | undefined>;
  /** Decides on the document and keeps the lease. */
  saveProgress<Next extends State | null>(
    decide: (current: State) => DecisionWith<Next, SomeEffects>,
  ): Promise<Next | undefined>;
  /** Extends the lease for work that takes longer; false when it is lost. */
  renew(): Promise<boolean>;
}

/** The work for documents whose field `due` has passed. */
export interface DocumentDueWorkOptions<State, SomeEffects> extends DueWorkSettings {
  /** Work that throws is tried again when its lease has expired. */
  handle: (state: State, claim: DueClaim<State, SomeEffects>) => Promise<void>;
}

/** Due work whose claims are written by the service itself, many with one write. */
export interface ClaimedWorkOptions<State, SomeFilter> extends DueWorkSettings {
  /** The field of the document that holds the claim: a `Lease` or null. */
  claimField: keyof State & string;
  /** Claims documents that fit `claimable` by writing `lease` into them; none when there is none to take now. */
  take: (claimable: SomeFilter, lease: Lease) => Promise<readonly State[]>;
  /** Changes `due` in the write that releases the claim. Work that throws is tried again when its claim has expired. */
  handle: (state: State) => Promise<void>;
}

/** Maintenance of documents. */
export interface DocumentMaintenance<State extends Entity, SomeEffects, SomeFilter> {
  /** Removes what has expired, every so often; what still has events or commands is left for the next time. */
  startExpiry(options: ExpiryOptions<SomeFilter>): { stop(): Promise<void> };
  /** Removes a field from the documents in which it has expired, every so often, with one write for all of them. */
  startFieldRemoval(options: FieldRemovalOptions<State, SomeFilter>): { stop(): Promise<void> };
  /** Does the work of documents that are due (`due: Due | null`, with `dueIndex`), in however many processes. */
  startDueWork(options: DocumentDueWorkOptions<State, SomeEffects>): DueWork;
  /** The same for work that is claimed in bulk. */
  startClaimedWork(options: ClaimedWorkOptions<State, SomeFilter>): DueWork;
}

const LEASE = '_dueLease';

export function documentMaintenance<State extends Entity, SomeEffects extends AnyEffects>(
  collection: Collection<StoredDocument>,
  writer: DocumentWriter,
  outbox: Outbox | undefined,
): DocumentMaintenance<State, SomeEffects, object> {
  function claimOf(id: string, lease: string, leaseMs: number): DueClaim<State, SomeEffects> {
    const isMine = (stored: StoredDocument) => (stored[LEASE] as { owner: string } | undefined)?.owner === lease;
    async function decide<Next extends State | null>(
      decision: (current: State) => DecisionWith<Next, SomeEffects>,
      release: boolean,
    ): Promise<Next | undefined> {
      let next: Next | undefined;
      await writer.updateBookkeeping(id, (stored) => {
        next = undefined;
        if (stored._deleted || !isMine(stored)) return undefined;
        const decided = decision(toState<State>(stored));
        if (!decided.ok) throw new Refused(decided.refusal);
        next = decided.state;
        const extra = outbox?.write(stored, next === null, decided) ?? {};
        return { state: next, extra: release ? { ...extra, unset: [...(extra.unset ?? []), LEASE] } : extra };
      });
      return next;
    }
    return {
      finish: (decision) => decide(decision, true),
      saveProgress: (decision) => decide(decision, false),
      async renew() {
        const own = { _id: id, [`${LEASE}.owner`]: lease };
        const { matchedCount } = await collection.updateOne(own, { $set: { [LEASE]: newLease(leaseMs, lease) } });
        return matchedCount === 1;
      },
    };
  }

  return {
    startExpiry: ({ expired, ...sweep }) =>
      startSweep({
        ...sweep,
        name: `expiry of ${collection.collectionName}`,
        sweep: () => collection.deleteMany({ ...withStoredId(expired()), _deleted: false, ...(outbox && isIdle) }),
      }),
    startFieldRemoval: ({ field, expired, ...sweep }) =>
      startSweep({
        ...sweep,
        name: `removal of ${collection.collectionName}.${field}`,
        // The version grows, so that a decision made on the field is made again.
        sweep: () =>
          collection.updateMany({ ...withStoredId(expired()), _deleted: false }, {
            $unset: { [field]: '' },
            $inc: { _version: 1 },
          } as Document),
      }),
    startDueWork: ({ handle, ...work }) =>
      startDueWork({
        ...work,
        collection: collection as unknown as Collection<DueDocument>,
        leaseField: LEASE,
        handle: (stored, lease) => handle(toState<State>(stored), claimOf(stored._id, lease, work.leaseMs)),
      }),
    startClaimedWork: ({ claimField, take, handle, ...work }) =>
      startDueWork<DueDocument & { state: State }>({
        ...work,
        collection: collection as unknown as Collection<DueDocument & { state: State }>,
        leaseField: claimField,
        async take(claimable, lease) {
          const states = await take(claimable, lease);
          return states.map((state) => ({ _id: state.id, due: null, state }));
        },
        handle: ({ state }) => handle(state),
      }),
  };
}
