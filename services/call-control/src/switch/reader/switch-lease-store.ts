import type { Clock } from '@parley/clock';
import { decided, refused, refusal, Refused } from '@parley/errors';
import { openDocuments } from '@parley/aggregates';
import type { Db } from 'mongodb';
import type { Liveness, ProcessIdentity } from './process-identity.ts';

/** The process that reads a switch's events. It uses the machine's clock, because it protects against stopped processes. */
interface SwitchLease {
  readonly id: string;
  /** Switches belong to no company. */
  readonly companyId: '';
  /** Empty when it was released. */
  readonly owner: string;
  readonly until: Date;
  /** Counts the owners. */
  readonly term: number;
}

/** A lease of ours. */
export interface SwitchOwnership {
  readonly until: Date;
  /** The same as before: no other process had it in between. */
  readonly term: number;
}

/** Ownership of switches, by one process each. */
export interface SwitchLeases {
  /** Takes or renews the lease; undefined while it is another process's. */
  take(switchName: string): Promise<SwitchOwnership | undefined>;
  /** Releases the own lease. */
  release(switchName: string): Promise<void>;
}

/** A process that runs and does not renew is busy, not dead: taking the switch from it would make both busier. */
const STALLED_MS = 5000;

/** Decides whether the lease of another process may be taken. */
function isFree({ until }: SwitchLease, liveness: Liveness, now: Date): boolean {
  if (liveness === 'dead') return true;
  return now.getTime() >= until.getTime() + (liveness === 'alive' ? STALLED_MS : 0);
}

export async function openSwitchLeases(options: {
  db: Db;
  machineClock: Clock;
  identity: ProcessIdentity;
  leaseMs: number;
}): Promise<SwitchLeases> {
  const { db, machineClock, identity, leaseMs } = options;
  const owner = identity.own;
  const leases = (await openDocuments<SwitchLease>({ db, collection: 'switch_leases', recentMax: 100 })).of('');
  const taken = refused(refusal('conflict', 'another process reads this switch'));
  const unlessTaken = (error: unknown) => {
    if (error instanceof Refused) return undefined;
    throw error;
  };
  const termOf = (current: SwitchLease | undefined) => (current?.term ?? 0) + (current?.owner === owner ? 0 : 1);
  return {
    async take(switchName) {
      const now = machineClock.now();
      const until = new Date(now.getTime() + leaseMs);
      const lease = await leases
        .upsert(switchName, (current) =>
          current && current.owner !== owner && !isFree(current, identity.livenessOf(current.owner), now)
            ? taken
            : decided<SwitchLease>({ id: switchName, companyId: '', owner, until, term: termOf(current) }),
        )
        .catch(unlessTaken);
      return lease && { until: lease.until, term: lease.term };
    },
    async release(switchName) {
      const ended = machineClock.now();
      await leases
        .changeIfExists(switchName, (current) =>
          current.owner === owner ? decided<SwitchLease>({ ...current, owner: '', until: ended }) : taken,
        )
        .catch(unlessTaken);
    },
  };
}
