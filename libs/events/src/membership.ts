import { newId } from '@parley/ids';
import { isUnreachable } from '@parley/store';
import type { Logger } from '@parley/telemetry';
import { type Assignment, join, leave, partitionsOf, release, surplusOf, UNASSIGNED } from './assignment.ts';
import type { Broker } from './broker.ts';
import type { FollowerState } from './follower-state-store.ts';

/** A process that hangs is taken for dead after this; one whose connection is gone, after the next ping. */
const LEASE_MS = 10_000;
const RENEW_EVERY_MS = 3000;
const PING_EVERY_MS = 300;
const PING_TIMEOUT_MS = 2000;

export interface Membership {
  readonly id: string;
  /** Gives all partitions to the other replicas. */
  stop(): Promise<void>;
}

/**
 * Shares the partitions of a follower between its replicas. The assignment is a document in the follower's database; NATS
 * only makes it quick: replicas tell each other about changes, and ping their neighbour, whose broken connection the server
 * reports at once.
 */
export async function joinFollower(options: {
  follower: string;
  broker: Broker;
  state: FollowerState;
  log: Logger;
  /** Called with every change, one call at a time. */
  onAssigned: (partitions: readonly number[], member: string) => Promise<void>;
}): Promise<Membership> {
  const { follower, broker, state, log, onAssigned } = options;
  const id = newId('flw');
  const changes = broker.subject(`signals.followers.${follower}.changed`);
  const pings = (member: string) => broker.subject(`signals.followers.${follower}.ping.${member}`);
  let known: Assignment = UNASSIGNED;
  let assigned = '';
  let stopped = false;
  let working: Promise<void> | undefined;
  let again = false;

  const tellOthers = () => {
    if (broker.connected()) broker.connection.publish(changes, id);
  };

  async function apply(partitions: readonly number[]): Promise<void> {
    if (assigned === partitions.join()) return;
    await onAssigned(partitions, id);
    assigned = partitions.join();
  }

  async function rebalance(): Promise<void> {
    const memberCount = known.members.length;
    known = await state.update((current) => join(current, id, new Date(), LEASE_MS));
    const surplus = surplusOf(known, id);
    // What is handed over is finished first; only then may another replica read it.
    await apply(partitionsOf(known, id).filter((partition) => !surplus.includes(partition)));
    if (surplus.length > 0) known = await state.update((current) => release(current, id, surplus));
    if (surplus.length > 0 || known.members.length !== memberCount) tellOthers();
  }

  function work(): void {
    if (stopped) return;
    again = working !== undefined;
    working ??= rebalance()
      .catch((error: unknown) => {
        if (!isUnreachable(error))
          log.warn({ err: error, follower }, 'cannot update the partition assignment; retrying');
      })
      .finally(() => {
        working = undefined;
        if (again) work();
      });
  }

  async function ping(): Promise<void> {
    const neighbour = neighbourOf(known, id);
    if (neighbour === undefined || !broker.connected() || stopped) return;
    try {
      await broker.connection.request(pings(neighbour), '', { timeout: PING_TIMEOUT_MS });
    } catch (error) {
      if (!isNoResponders(error) || stopped || !broker.connected()) return;
      log.info({ follower, member: neighbour }, 'a replica is gone; taking over its partitions');
      known = await state.update((current) => leave(current, neighbour));
      tellOthers();
      work();
    }
  }

  let pinging: Promise<void> | undefined;
  const pingTimer = setInterval(() => {
    pinging ??= ping()
      .catch((error: unknown) => {
        if (!isUnreachable(error)) log.warn({ err: error, follower }, 'cannot take over partitions; retrying');
      })
      .finally(() => (pinging = undefined));
  }, PING_EVERY_MS);
  const renewTimer = setInterval(work, RENEW_EVERY_MS);
  const pinged = broker.connection.subscribe(pings(id), { callback: (_error, message) => void message.respond() });
  const changed = broker.connection.subscribe(changes, {
    callback: (_error, message) => {
      if (message.string() !== id) work();
    },
  });
  const offReconnect = broker.onReconnect(work);
  // The neighbour must find the subscription when it reads of this member; a broker that is away finds nobody.
  if (broker.connected()) await broker.unlessLost(() => broker.connection.flush()).catch(() => undefined);
  work();
  await working;

  return {
    id,
    async stop() {
      stopped = true;
      clearInterval(pingTimer);
      clearInterval(renewTimer);
      offReconnect();
      await Promise.all([working, pinging]);
      await apply([]);
      pinged.unsubscribe();
      changed.unsubscribe();
      await state.update((current) => leave(current, id));
      tellOthers();
    },
  };
}

/** The next member in a ring, so that every member is watched by one other; undefined when there is no other. */
function neighbourOf({ members }: Assignment, id: string): string | undefined {
  const ids = members.map((member) => member.id);
  const next = ids[(ids.indexOf(id) + 1) % ids.length];
  return next === id ? undefined : next;
}

function isNoResponders(error: unknown): boolean {
  const { name, isNoResponders: test } = error as { name?: string; isNoResponders?: () => boolean };
  return name === 'NoRespondersError' || test?.call(error) === true;
}
