import type { Clock } from '@parley/clock';
import { decided, refused, refusal, Refused } from '@parley/errors';
import { openDocuments } from '@parley/aggregates';
import type { Db } from 'mongodb';
import type { DrainingSwitches } from '../connection/draining-switches.ts';
import type { Liveness, ProcessIdentity } from './process-identity-client.ts';

/**
 * A switch: the process that reads its events, and when any process last reached it, in one document because both are written
 * every other second. By the machine's clock, because it protects against stopped processes and is about machines.
 */
interface SwitchState {
  /** Its name. */
  readonly id: string;
  /** Switches belong to no company. */
  readonly companyId: '';
  /** Empty when the lease was released. */
  readonly owner: string;
  readonly until: Date;
  /** Counts the owners. */
  readonly term: number;
  /** Absent before it was first reached. */
  readonly reachedAt?: Date;
  /** The operator has said that it takes no new calls. */
  readonly isDraining?: true;
}

/** A lease of ours. */
export interface SwitchOwnership {
  readonly until: Date;
  /** The same as before: no other process had it in between. */
  readonly term: number;
}

/** Ownership of switches, by one process each. */
export interface SwitchLeases {
  /** Takes or renews the lease; undefined while it is another process's. An owner that reaches the switch notes it. */
  take(switchName: string, isReachable: boolean): Promise<SwitchOwnership | undefined>;
  /** Releases the own lease. */
  release(switchName: string): Promise<void>;
}

/** A switch that was reached. */
export interface SwitchContact {
  readonly id: string;
  readonly reachedAt: Date;
}

/** When each switch was last reached, by any process. */
export interface SwitchContacts {
  /** Before calls of a new connection are taken: a call that is read has its contact there already. */
  reached(switchName: string): Promise<void>;
  /** When this process last noted with its lease that it reached the switch. */
  notedAt(switchName: string): Date | undefined;
  /** Undefined for a switch that was never reached. */
  get(switchName: string): Promise<SwitchContact | undefined>;
  reachedBefore(time: Date): AsyncIterable<SwitchContact>;
  /** When the switch was reached that has not been for the longest time; undefined when none ever was. */
  oldest(): Promise<Date | undefined>;
}

/** What the operator says about switches. */
export interface SwitchDrains {
  /** Whether the switch takes no new calls. Other processes follow within two seconds. */
  set(switchName: string, isDraining: boolean): Promise<void>;
}

/** A process that runs and does not renew is busy, not dead: taking the switch from it would make both busier. */
const STALLED_MS = 3000;
const NEVER = new Date(0);

/** Decides whether the lease of another process may be taken. */
function isFree({ until }: SwitchState, liveness: Liveness, now: Date): boolean {
  if (liveness === 'dead') return true;
  return now.getTime() >= until.getTime() + (liveness === 'alive' ? STALLED_MS : 0);
}

export async function openSwitchStore(options: {
  db: Db;
  machineClock: Clock;
  identity: ProcessIdentity;
  leaseMs: number;
  draining: Pick<DrainingSwitches, 'note'>;
}): Promise<{ leases: SwitchLeases; contacts: SwitchContacts; drains: SwitchDrains }> {
  const { db, machineClock, identity, leaseMs, draining } = options;
  const owner = identity.own;
  const switches = (
    await openDocuments<SwitchState>({
      db,
      collection: 'switch_leases',
      indexes: [{ name: 'reached', key: { companyId: 1, reachedAt: 1 } }],
      recentMax: 100,
    })
  ).of('');
  const noted = new Map<string, Date>();
  const taken = refused(refusal('conflict', 'another process reads this switch'));
  const unlessTaken = (error: unknown) => {
    if (error instanceof Refused) return undefined;
    throw error;
  };
  const termOf = (current: SwitchState | undefined) => (current?.term ?? 0) + (current?.owner === owner ? 0 : 1);

  const leases: SwitchLeases = {
    async take(switchName, isReachable) {
      const now = machineClock.now();
      const until = new Date(now.getTime() + leaseMs);
      const lease = await switches
        .upsert(switchName, (current) => {
          draining.note(switchName, current?.isDraining ?? false);
          if (current && current.owner !== owner && !isFree(current, identity.livenessOf(current.owner), now))
            return taken;
          const reachedAt = isReachable ? now : current?.reachedAt;
          const next = { id: switchName, companyId: '', owner, until, term: termOf(current) } as const;
          return decided<SwitchState>({ ...current, ...next, ...(reachedAt && { reachedAt }) });
        })
        .catch(unlessTaken);
      if (lease && isReachable) noted.set(switchName, now);
      return lease && { until: lease.until, term: lease.term };
    },
    async release(switchName) {
      const ended = machineClock.now();
      await switches
        .changeIfExists(switchName, (current) =>
          current.owner === owner ? decided<SwitchState>({ ...current, owner: '', until: ended }) : taken,
        )
        .catch(unlessTaken);
    },
  };
  const contacts: SwitchContacts = {
    async reached(id) {
      const reachedAt = machineClock.now();
      if (!(await switches.assign(id, { reachedAt })))
        await switches.upsert(id, (current) => decided<SwitchState>({ ...unreached(id), ...current, reachedAt }));
    },
    notedAt: (switchName) => noted.get(switchName),
    async get(switchName) {
      const reachedAt = (await switches.get(switchName))?.reachedAt;
      return reachedAt && { id: switchName, reachedAt };
    },
    async *reachedBefore(time) {
      for await (const { id, reachedAt } of switches.find({ reachedAt: { $lt: time } }, { reachedAt: 1 }))
        if (reachedAt) yield { id, reachedAt };
    },
    async oldest() {
      for await (const { reachedAt } of switches.find({ reachedAt: { $gt: NEVER } }, { reachedAt: 1 }, 1))
        return reachedAt;
      return undefined;
    },
  };
  const drains: SwitchDrains = {
    async set(id, isDraining) {
      await switches.upsert(id, (current) => {
        const { isDraining: _before, ...others } = { ...unreached(id), ...current };
        return decided<SwitchState>({ ...others, ...(isDraining && { isDraining }) });
      });
      draining.note(id, isDraining);
    },
  };
  return { leases, contacts, drains };
}

const unreached = (id: string): SwitchState => ({ id, companyId: '', owner: '', until: NEVER, term: 0 });
