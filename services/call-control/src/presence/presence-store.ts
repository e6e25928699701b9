import type { Clock } from '@parley/clock';
import { notFound, Refused } from '@parley/errors';
import { type Aggregates, openAggregates, type Relay } from '@parley/outbox';
import { collidedIndex, dueIndex, whileUnreachable } from '@parley/store';
import type { Collection, Db, Document } from 'mongodb';
import {
  type EmployeeFacts,
  type EmployeePresence,
  type PresenceLease,
  hold,
  leave,
  newPresence,
  type PresenceEvent,
  release,
} from './presence.ts';
import { encodePresenceEvent } from './presence-proto.ts';

type Decide = (current: EmployeePresence, now: Date) => ReturnType<typeof hold>;

/** Who is there. Calls use the same store to say who is in conversation and who is being rung. */
export interface Presences {
  readonly aggregates: Aggregates<EmployeePresence, PresenceEvent>;
  get(employeeId: string): Promise<EmployeePresence | undefined>;
  /** Decides about an employee's presence, which is made from `facts` if there is none yet; without them it is refused. */
  change(employeeId: string, decide: Decide, facts?: EmployeeFacts & { companyId: string }): Promise<EmployeePresence>;
  /** Begins a hold, or renews it for another lease. */
  hold(employeeId: string, held: Pick<PresenceLease, 'kind' | 'id'>): Promise<EmployeePresence>;
  /** Ends a hold; undefined when nothing is known of the employee. */
  release(employeeId: string, ended: Pick<PresenceLease, 'kind' | 'id'>): Promise<EmployeePresence | undefined>;
  /** Renews without deciding anything anew; answers those that have ended. */
  renew<Held extends Pick<PresenceLease, 'kind' | 'id'> & { employeeId: string }>(
    held: readonly Held[],
  ): Promise<Held[]>;
  ofCompany(companyId: string, employeeIds: readonly string[]): AsyncIterable<EmployeePresence>;
  remove(employeeId: string): Promise<void>;
  readonly leaseMs: number;
}

/** `machineClock`: leases are between processes, so they follow the machine's time. */
export async function openPresences(options: {
  db: Db;
  relay: Relay;
  clock: Clock;
  machineClock: Clock;
  leaseMs: number;
}): Promise<Presences> {
  const { db, relay, clock, machineClock, leaseMs } = options;
  const aggregates = await openAggregates<EmployeePresence, PresenceEvent>({
    db,
    collection: 'presences',
    relay,
    clock,
    encode: encodePresenceEvent,
    indexes: [{ name: 'company', key: { companyId: 1 }, partialFilterExpression: { _deleted: false } }, dueIndex],
  });
  const get = (employeeId: string) => aggregates.acrossCompanies.get(employeeId);
  const until = () => new Date(machineClock.now().getTime() + leaseMs);

  const change: Presences['change'] = async (employeeId, decide, facts) => {
    const now = () => machineClock.now();
    const known = await get(employeeId);
    const companyId = known?.companyId ?? facts?.companyId;
    if (companyId === undefined) throw new Refused(notFound);
    if (!known && facts) {
      const { doNotDisturb, invitationPending } = facts;
      const empty = newPresence({ id: employeeId, companyId }, { doNotDisturb, invitationPending });
      try {
        return await aggregates.of(companyId).create(decide(empty, now()));
      } catch (error) {
        // Somebody else has just made it.
        if (collidedIndex(error) === undefined) throw error;
      }
    }
    return aggregates.of(companyId).change(employeeId, (current) => decide(current, now()));
  };

  return {
    aggregates,
    leaseMs,
    get,
    change,
    hold: (employeeId, held) =>
      change(employeeId, (current, now) => hold(current, { kind: held.kind, id: held.id, until: until() }, now)),
    async release(employeeId, ended) {
      return change(employeeId, (current, now) => release(current, ended, now)).catch((error: unknown) => {
        if (error instanceof Refused) return undefined;
        throw error;
      });
    },
    async renew(held) {
      if (held.length === 0) return [];
      const collection = aggregates.collection as unknown as Collection<Document & { _id: string }>;
      const ended = [];
      for (const one of held) {
        // One small write per hold. The version grows, so that a decision made on the old end is made again.
        const { matchedCount } = await whileUnreachable(() =>
          collection.updateOne(
            {
              _id: one.employeeId,
              _deleted: false,
              holds: { $elemMatch: { kind: one.kind, id: one.id, until: { $gt: machineClock.now() } } },
            },
            { $set: { 'holds.$[held].until': until() }, $inc: { _version: 1 } },
            { arrayFilters: [{ 'held.kind': one.kind, 'held.id': one.id }] },
          ),
        );
        if (matchedCount === 0) ended.push(one);
      }
      return ended;
    },
    async *ofCompany(companyId, employeeIds) {
      const own = aggregates.of(companyId);
      if (employeeIds.length === 0) yield* own.find({}, { companyId: 1 });
      else yield* own.find({ id: { $in: [...employeeIds] } }, { id: 1 });
    },
    async remove(employeeId) {
      const known = await get(employeeId);
      if (!known) return;
      await aggregates
        .of(known.companyId)
        .change(employeeId, (current) => leave(current, machineClock.now()))
        .catch((error: unknown) => {
          if (!(error instanceof Refused)) throw error;
        });
    },
  };
}
