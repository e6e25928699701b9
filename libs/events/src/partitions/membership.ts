import { msUntilMultiple } from '@parley/clock';
import { newId } from '@parley/secrets';
import { isUnreachable } from '@parley/mongo';
import type { Logger } from '@parley/telemetry';
import { type Assignment, join, leave, partitionsOf, release, surplusOf, UNASSIGNED } from './assignment.ts';
import type { Broker } from '../broker/broker.ts';
import type { FollowerState } from './follower-state-store.ts';

/** A hanging process is considered dead after this; one without a connection, after the next ping. */
const LEASE_MS = 30_000;
const RENEW_EVERY_MS = 20_000;
/** A renewal that failed leaves time for two more. */
const RENEW_AGAIN_MS = 2000;
const PING_EVERY_MS = 300;
const PING_TIMEOUT_MS = 2000;

export interface Membership {
  readonly id: string;
  /** Gives all partitions to the other replicas. */
  stop(): Promise<void>;
}

/**
 * Shares the partitions of a follower between its replicas. The assignment is a document in the follower's database; NATS
 * only makes it fast: replicas notify each other of changes and ping each other, and the server reports broken
 * connections at once.
 */
export async function joinFollower(options: {
  follower: string;
  broker: Broker;
  state: FollowerState;
  log: Logger;
  /** Called with every change, one call at a time. */
  onAssigned: (partitions: readonly number[], member: string) => Promise<void>;
  /** Replaced in tests. */
  pingTimeoutMs?: number;
}): Promise<Membership> {
  const { follower, broker, state, log, onAssigned, pingTimeoutMs = PING_TIMEOUT_MS } = options;
  const id = newId('flw');
  const changes = broker.subject(`signals.followers.${follower}.changed`);
  const pings = (member: string) => broker.subject(`signals.followers.${follower}.ping.${member}`);
  let known: Assignment = UNASSIGNED;
  let assigned = '';
  let stopped = false;
  let working: Promise<void> | undefined;
  let again = false;
  /** Only the lease has to be renewed. */
  let isRenewal = false;

  const notifyOthers = () => {
    if (broker.connected()) broker.connection.publish(changes, id);
  };

  async function apply(partitions: readonly number[]): Promise<void> {
    if (assigned === partitions.join()) return;
    await onAssigned(partitions, id);
    assigned = partitions.join();
  }

  /** Without others there is no timer: those of all followers would wake a process at rest many times a second. */
  let pinging: NodeJS.Timeout | undefined;
  function learn(assignment: Assignment): void {
    known = assignment;
    const hasOthers = !stopped && watchedBy(known, id).length > 0;
    if (!hasOthers) {
      clearInterval(pinging);
      pinging = undefined;
    } else {
      // A ping without a response takes two seconds to time out: the next one does not wait for it.
      pinging ??= setInterval(() => {
        if (broker.connected()) watchedBy(known, id).forEach(ping);
      }, PING_EVERY_MS);
    }
  }

  async function rebalance(): Promise<void> {
    const memberCount = known.members.length;
    const write = isRenewal ? state.renew : state.update;
    isRenewal = false;
    learn(await write((current) => join(current, id, new Date(), LEASE_MS)));
    const surplus = surplusOf(known, id);
    // Work on surplus partitions is finished first; only then may another replica read them.
    await apply(partitionsOf(known, id).filter((partition) => !surplus.includes(partition)));
    if (surplus.length > 0) learn(await state.update((current) => release(current, id, surplus)));
    if (surplus.length > 0 || known.members.length !== memberCount) notifyOthers();
  }

  function work(): void {
    if (stopped) return;
    again = working !== undefined;
    working ??= rebalance()
      .catch((error: unknown) => {
        if (!isUnreachable(error))
          log.warn({ err: error, follower }, 'cannot update the partition assignment; retrying');
        if (!stopped) setTimeout(work, RENEW_AGAIN_MS).unref();
      })
      .finally(() => {
        working = undefined;
        if (again) work();
      });
  }

  const takingOver = new Set<Promise<void>>();

  async function takeOver(member: string): Promise<void> {
    log.info({ follower, member }, 'a replica has ended; taking over its partitions');
    learn(await state.update((current) => leave(current, member)));
    notifyOthers();
    work();
  }

  /**
   * Takes over immediately when the server reports no responders. A timeout proves nothing: the replica may be busy.
   */
  function ping(member: string): void {
    broker.connection.request(pings(member), '', { timeout: pingTimeoutMs }).catch((error: unknown) => {
      if (!isNoResponders(error) || stopped || !broker.connected() || !isMember(known, member)) return;
      const work = takeOver(member)
        .catch((problem: unknown) => {
          if (!isUnreachable(problem)) log.warn({ err: problem, follower }, 'cannot take over partitions; retrying');
        })
        .finally(() => takingOver.delete(work));
      takingOver.add(work);
    });
  }

  let renewTimer: NodeJS.Timeout | undefined;
  /** At the same times as other followers, because their leases are written together. */
  function scheduleRenewal(): void {
    renewTimer = setTimeout(() => {
      scheduleRenewal();
      isRenewal = working === undefined;
      work();
    }, msUntilMultiple(RENEW_EVERY_MS));
  }
  scheduleRenewal();
  const pinged = broker.connection.subscribe(pings(id), {
    callback: (error, message) => void (error ?? message.respond()),
  });
  const changed = broker.connection.subscribe(changes, {
    callback: (error, message) => {
      if (!error && message.string() !== id) work();
    },
  });
  const offReconnect = broker.onReconnect(work);
  // Other replicas must find the subscription when they read the new member; this flush fails while the broker is
  // unreachable.
  if (broker.connected()) await broker.unlessLost(() => broker.connection.flush()).catch(() => undefined);
  work();
  await working;

  return {
    id,
    async stop() {
      stopped = true;
      clearInterval(pinging);
      clearTimeout(renewTimer);
      offReconnect();
      await Promise.all([working, ...takingOver]);
      await apply([]);
      pinged.unsubscribe();
      changed.unsubscribe();
      await state.update((current) => leave(current, id));
      notifyOthers();
    },
  };
}

/** The next two members in a ring: every member is watched by two others, one of which may be busy, or dead as well. */
function watchedBy({ members }: Assignment, id: string): string[] {
  const ids = members.map((member) => member.id);
  const own = ids.indexOf(id);
  const next = [1, 2].map((step) => ids[(own + step) % ids.length]);
  const others = next.filter((other): other is string => other !== undefined && other !== id);
  return own < 0 ? [] : [...new Set(others)];
}

const isMember = ({ members }: Assignment, id: string) => members.some((member) => member.id === id);

function isNoResponders(error: unknown): boolean {
  const { name, isNoResponders: test } = error as { name?: string; isNoResponders?: () => boolean };
  return name === 'NoRespondersError' || test?.call(error) === true;
}
