import type { Clock } from '@parley/clock';
import { decided, notFound, Refused, unlessNotFound } from '@parley/errors';
import { type Aggregates, openAggregates, type Relay } from '@parley/aggregates';
import type { Db } from 'mongodb';
import type { EmployeeDirectory } from '../employees/directory-client.ts';
import { type EmployeeRecord, newerRecord } from '../employees/employee-record.ts';
import {
  type DoNotDisturbChange,
  expireDoNotDisturb,
  setDoNotDisturb,
  setOthersDoNotDisturb,
} from './do-not-disturb.ts';
import {
  addLease,
  canBeRung,
  canTakeWaitingCall,
  type EmployeePresence,
  endLeases,
  endPresence,
  expireLeases,
  isSame,
  type LeaseKey,
  type Moment,
  newPresence,
  type PresenceDecision,
  type PresenceEvent,
  type PresenceLease,
  type PresenceTimer,
  type RegisteredContact,
  recordEmployee,
  renewLeases,
} from './presence.ts';
import { encodePresenceEvent } from './presence-proto.ts';

/** A lease by employee, as its owner renews it. */
export interface HeldLease extends LeaseKey {
  readonly companyId: string;
  readonly employeeId: string;
}

/** The presences of employees. Calls use it for conversations and ring offers. */
export type Presences = Awaited<ReturnType<typeof openPresences>>;

export type CompanyPresences = ReturnType<typeof companyPresences>;

type LeaseTimes = ReturnType<typeof leaseTimes>;

/** `machineClock`: leases guard processes, so they follow the machine's time. */
interface PresencesOptions {
  readonly db: Db;
  readonly relay: Relay;
  readonly clock: Clock;
  readonly machineClock: Clock;
  readonly leaseMs: number;
  readonly directory: EmployeeDirectory;
}

type PresenceAggregates = Aggregates<EmployeePresence, PresenceEvent, never, PresenceTimer>;
type Decide = (current: EmployeePresence) => PresenceDecision;

/** Writes of a bulk renewal in progress at once. */
const RENEWALS_AT_ONCE = 16;

/** Offers and conversations of an employee change several times within seconds. */
const RECENT_MAX = 2000;

/** More than can be registered at a switch. */
const COUNTED_MAX = 1_000_000;

export async function openPresences(options: PresencesOptions) {
  const { db, relay, clock, directory } = options;
  const aggregates: PresenceAggregates = await openAggregates<EmployeePresence, PresenceEvent, never, PresenceTimer>({
    db,
    collection: 'employee_presences',
    relay,
    clock,
    encode: encodePresenceEvent,
    recentMax: RECENT_MAX,
    indexes: [
      { name: 'company', key: { companyId: 1, _id: 1 } },
      {
        name: 'registered_at',
        key: { 'leases.contact.switchName': 1 },
        partialFilterExpression: { 'leases.contact.switchName': { $exists: true } },
      },
    ],
  });
  const context = { aggregates, clock, times: leaseTimes(options), ...knownEmployees(aggregates, directory) };
  const { times, create } = context;
  const of = (companyId: string) => companyPresences(context, companyId);
  return {
    of,
    /** The lifetime of a lease unless it is renewed. */
    leaseMs: options.leaseMs,
    /** The company of a known employee. */
    companyOf: async (employeeId: string) => (await aggregates.acrossCompanies.get(employeeId))?.companyId,
    /** A phone registered, or refreshed its registration; that ends a pending invitation. Throws `Refused` for an unknown employee. */
    async register(
      employeeId: string,
      { id, contact }: { id: string; contact: RegisteredContact },
    ): Promise<EmployeePresence> {
      const lease = { kind: 'registration', id, contact } as const;
      const known = await aggregates.acrossCompanies.get(employeeId);
      if (known && !known.employee.invitationPending) return of(known.companyId).addLease(employeeId, lease);
      // Directory first, so that the invitation has ended everywhere when the employee is available.
      const employee = await directory.recordSignIn(employeeId);
      if (!employee) throw new Refused(notFound);
      return create(employee.companyId, employeeId, employee.record, (current) => {
        const signedIn = { ...current, employee: newerRecord(current.employee, employee.record) };
        return addLease(signedIn, times.held(lease), times.moment());
      });
    },
    renewLeases: leaseRenewal(aggregates, times),
    /** Ends leases that were not renewed and do-not-disturb that has expired. Any number of processes may do so. */
    startTimers(): { stop(): Promise<void> } {
      // Owners of leases that were down together with this process get one lease period to renew them.
      const notBefore = times.until();
      return aggregates.startTimers({
        lease_expiry: (current) => expireLeases(current, times.moment(), notBefore),
        do_not_disturb_expiry: (current) => expireDoNotDisturb(current, times.moment()),
      });
    },
    countRegisteredAt: (switchName: string) =>
      aggregates.acrossCompanies.count(COUNTED_MAX, { 'leases.contact.switchName': switchName }),
    /** Employees with a phone registered at a switch, whichever company they belong to. */
    registeredAt: (switchName: string) =>
      aggregates.acrossCompanies.find({ 'leases.contact.switchName': switchName }, { 'leases.contact.switchName': 1 }),
  };
}

function leaseTimes({ clock, machineClock, leaseMs }: PresencesOptions) {
  const until = () => new Date(machineClock.now().getTime() + leaseMs);
  return {
    moment: (): Moment => ({ now: clock.now(), machineNow: machineClock.now() }),
    until,
    /** A lease that ends before has to be renewed. */
    staleBefore: () => new Date(machineClock.now().getTime() + leaseMs / 2),
    held: (lease: LeaseKey & { contact?: RegisteredContact }): PresenceLease => ({
      kind: lease.kind,
      id: lease.id,
      until: until(),
      ...(lease.contact && { contact: lease.contact }),
    }),
  };
}

function knownEmployees(aggregates: PresenceAggregates, directory: EmployeeDirectory) {
  /** `record` comes from directory's answer and not from an event, so the employee may have been deleted since. */
  async function create(companyId: string, employeeId: string, record: EmployeeRecord, decide: Decide) {
    const own = aggregates.of(companyId);
    const identity = { id: employeeId, companyId };
    const presence = await own.upsert(employeeId, (current) => decide(current ?? newPresence(identity, record)));
    // A deletion before the write has had its event applied already; one after this question has its event ahead.
    if (await directory.find(employeeId)) return presence;
    await own.changeIfExists(employeeId, endPresence);
    throw new Refused(notFound);
  }

  /** Reads an unknown employee from directory: the event about a new one may not have arrived yet. */
  async function change(companyId: string, employeeId: string, decide: Decide): Promise<EmployeePresence> {
    const changed = await aggregates.of(companyId).changeIfExists(employeeId, decide);
    if (changed) return changed;
    const employee = await directory.find(employeeId);
    if (employee?.companyId !== companyId) throw new Refused(notFound);
    return create(companyId, employeeId, employee.record, decide);
  }

  return { create, change };
}

interface PresencesContext extends ReturnType<typeof knownEmployees> {
  readonly aggregates: PresenceAggregates;
  readonly clock: Clock;
  readonly times: LeaseTimes;
}

/** The presence of one company's employees. Another company's employee is an unknown one. */
function companyPresences({ aggregates, clock, times, change }: PresencesContext, companyId: string) {
  const own = aggregates.of(companyId);
  const { held, moment } = times;
  const byId = (employeeIds: readonly string[]) =>
    Array.fromAsync(own.find({ id: { $in: [...employeeIds] } }, { id: 1 }));
  const canTakeCalls = async (employeeIds: readonly string[]) =>
    employeeIds.length === 0 ? [] : (await byId(employeeIds)).filter(canTakeWaitingCall);
  return {
    get: own.get,
    /** Those of the given employees who are known; all of the company without `employeeIds`. */
    async list(employeeIds?: readonly string[]): Promise<EmployeePresence[]> {
      if (employeeIds?.length === 0) return [];
      return employeeIds ? byId(employeeIds) : Array.fromAsync(own.find({}, { companyId: 1, id: 1 }));
    },
    /** Those of the given employees at whom a waiting call may ring now, in the given order. */
    async available(employeeIds: readonly string[]): Promise<string[]> {
      const found = new Set((await canTakeCalls(employeeIds)).map(({ id }) => id));
      return employeeIds.filter((id) => found.has(id));
    },
    /** The same employees, and since when each has been without a call; who is in one comes last. */
    idle: async (employeeIds: readonly string[]): Promise<{ id: string; since: Date | null }[]> =>
      (await canTakeCalls(employeeIds)).map(({ id, status, idleSince }) => ({
        id,
        since: status === 'available' ? (idleSince ?? null) : clock.now(),
      })),
    /** Adds a lease or renews it. Throws `Refused` for an unknown employee. */
    addLease: (employeeId: string, lease: LeaseKey & { contact?: RegisteredContact }) =>
      change(companyId, employeeId, (current) => addLease(current, held(lease), moment())),
    /**
     * Adds a ring offer if the employee is available at that moment, in one write; false if not. `isWaiting`: of a waiting
     * call, which may be a second one.
     */
    async offerRing(employeeId: string, callId: string, isWaiting = false): Promise<boolean> {
      let offered = false;
      await own.changeIfExists(employeeId, (current) => {
        offered = isWaiting ? canTakeWaitingCall(current) : canBeRung(current);
        const lease = held({ kind: 'ring_offer', id: callId });
        return offered ? addLease(current, lease, moment()) : decided(current);
      });
      return offered;
    },
    /** Ends a lease; undefined for an unknown employee. Ending one that has ended changes nothing. */
    endLease: (employeeId: string, ended: LeaseKey) =>
      own.changeIfExists(employeeId, (current) => endLeases(current, (lease) => isSame(lease, ended), moment())),
    /** Ends all leases that match; undefined for an unknown employee. */
    endLeases: (employeeId: string, ended: (lease: PresenceLease) => boolean) =>
      own.changeIfExists(employeeId, (current) => endLeases(current, ended, moment())),
    /** `by`: the employee who changes it. */
    setDoNotDisturb: (employeeId: string, to: DoNotDisturbChange, by: string) =>
      change(companyId, employeeId, (current) =>
        (by === employeeId ? setDoNotDisturb : setOthersDoNotDisturb)(current, to, moment()),
      ),
    /** Takes a copy of directory's record. */
    recordEmployee: (employeeId: string, record: EmployeeRecord) =>
      own.upsert(employeeId, (current) =>
        recordEmployee(current ?? newPresence({ id: employeeId, companyId }, record), record, moment()),
      ),
    /** The employee was deleted. */
    async remove(employeeId: string): Promise<void> {
      await own.changeIfExists(employeeId, endPresence);
    },
  };
}

/** Renews leases in bulk; returns those that have ended. */
function leaseRenewal(aggregates: PresenceAggregates, { moment, until, staleBefore }: LeaseTimes) {
  /** Writes only when half of a lease has passed: owners renew more often than that. */
  async function renew<Lease extends LeaseKey>(companyId: string, employeeId: string, leases: readonly Lease[]) {
    const own = aggregates.of(companyId);
    const presence = await own.get(employeeId);
    if (!presence) return leases;
    const endsBefore = staleBefore();
    const isStale = (lease: LeaseKey) => presence.leases.some((one) => isSame(one, lease) && one.until < endsBefore);
    const stale = leases.filter(isStale);
    const current =
      stale.length === 0
        ? presence
        : await own.change(presence.id, (now) => renewLeases(now, stale, until(), moment()), presence);
    return leases.filter((lease) => !current.leases.some((one) => isSame(one, lease)));
  }

  return async <Lease extends HeldLease>(leases: readonly Lease[]): Promise<Lease[]> => {
    const ended: Lease[] = [];
    const byEmployee = Map.groupBy(leases, ({ employeeId }) => employeeId);
    await forEachOf([...byEmployee], RENEWALS_AT_ONCE, async ([employeeId, renewed]) => {
      for (const [companyId, own] of Map.groupBy(renewed, (lease) => lease.companyId))
        ended.push(...(await renew(companyId, employeeId, own)));
    });
    return ended;
  };
}

async function forEachOf<Item>(items: readonly Item[], atOnce: number, work: (item: Item) => Promise<void>) {
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
}

/** Sets an employee's presence to on a call. A deleted employee has no presence, and the call continues without it. */
export async function addConversationLease(
  presences: Pick<Presences, 'of'>,
  { companyId, employeeId, callId }: { companyId: string; employeeId: string; callId: string },
): Promise<EmployeePresence | undefined> {
  return unlessNotFound(presences.of(companyId).addLease(employeeId, { kind: 'conversation', id: callId }));
}
