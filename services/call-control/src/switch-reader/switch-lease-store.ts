import type { Clock } from '@parley/clock';
import { decided, refused, refusal, Refused } from '@parley/errors';
import { openDocuments } from '@parley/store';
import type { Db } from 'mongodb';

/** Which process reads a switch's events. By the machine's clock: it guards processes. */
interface SwitchLease {
  readonly id: string;
  /** Switches belong to no company. */
  readonly companyId: '';
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

export async function openSwitchLeases(options: {
  db: Db;
  machineClock: Clock;
  owner: string;
  leaseMs: number;
}): Promise<SwitchLeases> {
  const { db, machineClock, owner, leaseMs } = options;
  const leases = (await openDocuments<SwitchLease>({ db, collection: 'switch_leases' })).of('');
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
          current && current.owner !== owner && current.until > now
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
          current.owner === owner ? decided<SwitchLease>({ ...current, until: ended }) : taken,
        )
        .catch(unlessTaken);
    },
  };
}
