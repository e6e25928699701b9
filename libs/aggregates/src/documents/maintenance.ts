import type { BackgroundWork } from '@parley/clock';
import { type DecisionWith, Refused } from '@parley/errors';
import type { Logger } from '@parley/telemetry';
import type { Collection, Document } from 'mongodb';
import { type Entity, type StoredDocument, toState, withStoredId } from '../stored/stored-document.ts';
import { type AnyEffects, isIdle, type Outbox } from '../outbox/outbox.ts';
import type { DocumentWriter } from '../writes/document-writer.ts';
import { type DueDocument, type DueWork, type DueWorkSettings, startDueWork } from '../due/due-work.ts';
import { type Lease, newLease } from '../stored/bookkeeping.ts';
import { startSweep } from '@parley/mongo';
import type { DocumentFilter } from './scoped-documents.ts';

export interface ExpiryOptions<State> {
  /** Matches documents that are no longer needed; its fields need an index. */
  expired: () => DocumentFilter<State>;
  everyMs: number;
  backgroundWork: BackgroundWork;
  log: Logger;
}

export interface FieldRemovalOptions<State> extends ExpiryOptions<State> {
  field: keyof State & string;
  /** While it is true, every thirtieth removal is made. */
  isQuiet?: () => boolean;
}

/** A document that is due, leased to this process. */
export type DueClaim<State extends Entity, SomeEffects extends AnyEffects> = ReturnType<
  ReturnType<typeof dueClaims<State, SomeEffects>>
>;

/** The work for documents whose field `due` has passed. */
export interface DocumentDueWorkOptions<State extends Entity, SomeEffects extends AnyEffects> extends DueWorkSettings {
  /** Work that throws is tried again when its lease has expired. */
  handle: (state: State, claim: DueClaim<State, SomeEffects>) => Promise<void>;
}

/** Due work whose claims are written by the service itself, many with one write. */
export interface ClaimedWorkOptions<State> extends DueWorkSettings {
  /** The field of the document that holds the claim: a `Lease` or null. */
  claimField: keyof State & string;
  /** Claims documents that fit `claimable` by writing `lease` into them; none when there is none to take now. */
  take: (claimable: DocumentFilter<State>, lease: Lease) => Promise<readonly State[]>;
  /** Changes `due` in the write that releases the claim. Work that throws is tried again when its claim has expired. */
  handle: (state: State) => Promise<void>;
}

export type DocumentMaintenance<State extends Entity, SomeEffects extends AnyEffects> = ReturnType<
  typeof documentMaintenance<State, SomeEffects>
>;

const LEASE = '_dueLease';

export function documentMaintenance<State extends Entity, SomeEffects extends AnyEffects>(
  collection: Collection<StoredDocument>,
  writer: DocumentWriter,
  outbox: Outbox | undefined,
) {
  const claimOf = dueClaims<State, SomeEffects>(collection, writer, outbox);
  return {
    /** Removes what has expired, every so often; what still has events or commands is left for the next time. */
    startExpiry: ({ expired, ...sweep }: ExpiryOptions<State>) =>
      startSweep({
        ...sweep,
        name: `expiry of ${collection.collectionName}`,
        sweep: () => collection.deleteMany({ ...withStoredId(expired()), _deleted: false, ...(outbox && isIdle) }),
      }),
    /** Removes a field from the documents in which it has expired, every so often, with one write for all of them. */
    startFieldRemoval: ({ field, expired, ...sweep }: FieldRemovalOptions<State>) =>
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
    /** Does the work of documents that are due (`due: Due | null`, with `dueIndex`), in however many processes. */
    startDueWork: ({ handle, ...work }: DocumentDueWorkOptions<State, SomeEffects>): DueWork =>
      startDueWork({
        ...work,
        collection: collection as unknown as Collection<DueDocument>,
        leaseField: LEASE,
        handle: (stored, lease) => handle(toState<State>(stored), claimOf(stored._id, lease, work.leaseMs)),
      }),
    /** The same for work that is claimed in bulk. */
    startClaimedWork: ({ claimField, take, handle, ...work }: ClaimedWorkOptions<State>): DueWork =>
      startDueWork<DueDocument & { state: State }>({
        ...work,
        collection: collection as unknown as Collection<DueDocument & { state: State }>,
        leaseField: claimField,
        async take(claimable, lease) {
          const states = await take(claimable as DocumentFilter<State>, lease);
          return states.map((state) => ({ _id: state.id, due: null, state }));
        },
        handle: ({ state }) => handle(state),
      }),
  };
}

/** Returns what claims a document under a lease that was taken. */
function dueClaims<State extends Entity, SomeEffects extends AnyEffects>(
  collection: Collection<StoredDocument>,
  writer: DocumentWriter,
  outbox: Outbox | undefined,
) {
  const isLeased = (stored: StoredDocument, owner: string) =>
    (stored[LEASE] as Partial<Lease> | undefined)?.owner === owner;
  return (id: string, owner: string, leaseMs: number) => {
    async function decide<Next extends State | null>(
      decision: (current: State) => DecisionWith<Next, SomeEffects>,
      release: boolean,
    ): Promise<Next | undefined> {
      let next: Next | undefined;
      await writer.updateBookkeeping(id, (stored) => {
        next = undefined;
        if (stored._deleted || !isLeased(stored, owner)) return undefined;
        const decided = decision(toState<State>(stored));
        if (!decided.ok) throw new Refused(decided.refusal);
        next = decided.state;
        const extra = outbox?.write(stored, next === null, decided) ?? {};
        return { state: next, extra: release ? { ...extra, unset: [...(extra.unset ?? []), LEASE] } : extra };
      });
      return next;
    }
    return {
      /**
       * Decides on the document as it is now and releases the lease in the same write; undefined when the lease is lost.
       * The decision must change `due`, or the document is due again at once.
       */
      finish: <Next extends State | null>(decision: (current: State) => DecisionWith<Next, SomeEffects>) =>
        decide(decision, true),
      /** Decides on the document and keeps the lease. */
      saveProgress: <Next extends State | null>(decision: (current: State) => DecisionWith<Next, SomeEffects>) =>
        decide(decision, false),
      /** Extends the lease for work that takes longer; false when it is lost. */
      async renew(): Promise<boolean> {
        const own = { _id: id, [`${LEASE}.owner`]: owner };
        const { matchedCount } = await collection.updateOne(own, { $set: { [LEASE]: newLease(leaseMs, owner) } });
        return matchedCount === 1;
      },
    };
  };
}
