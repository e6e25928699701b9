import { msUntilMultiple } from '@parley/clock';
import { newId } from '@parley/secrets';
import { isUnreachable } from '@parley/mongo';
import { batch } from '@parley/queues';
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
}) {
  const { follower, broker, state, log, onAssigned } = options;
  const id = newId('flw');
  const signals = openSignals({ broker, follower, id, rebalance });
  let known: Assignment = UNASSIGNED;
  let assigned = '';
  let isStopped = false;
  const takingOver = new Set<Promise<void>>();
  const watch = watchReplicas({ ...options, onEnded });

  async function assign(partitions: readonly number[]): Promise<void> {
    if (assigned === partitions.join()) return;
    await onAssigned(partitions, id);
    assigned = partitions.join();
  }

  function learn(assignment: Assignment): void {
    known = assignment;
    watch(isStopped ? [] : watchedBy(known, id));
  }

  async function claimShare(): Promise<void> {
    const memberCount = known.members.length;
    learn(await state.update((current) => join(current, id, new Date(), LEASE_MS)));
    const surplus = surplusOf(known, id);
    // Work on surplus partitions is finished first; only then may another replica read them.
    await assign(partitionsOf(known, id).filter((partition) => !surplus.includes(partition)));
    if (surplus.length > 0) learn(await state.update((current) => release(current, id, surplus)));
    if (surplus.length > 0 || known.members.length !== memberCount) signals.notifyOthers();
  }

  /** One at a time; what is requested meanwhile is one more. */
  const claimInTurn = batch<void, void>(async () => {
    if (isStopped) return [];
    await claimShare().catch((error: unknown) => {
      if (!isUnreachable(error)) log.warn({ err: error, follower }, 'cannot update the partition assignment; retrying');
      setTimeout(rebalance, RENEW_AGAIN_MS).unref();
    });
    return [];
  });
  let rebalancing: Promise<void> | undefined;
  function rebalance(): void {
    rebalancing = claimInTurn();
  }

  async function takeOver(member: string): Promise<void> {
    log.info({ follower, member }, 'a replica has ended; taking over its partitions');
    learn(await state.update((current) => leave(current, member)));
    signals.notifyOthers();
    rebalance();
  }

  function onEnded(member: string): void {
    if (isStopped || known.members.every((one) => one.id !== member)) return;
    const work = takeOver(member)
      .catch((error: unknown) => {
        if (!isUnreachable(error)) log.warn({ err: error, follower }, 'cannot take over partitions; retrying');
      })
      .finally(() => takingOver.delete(work));
    takingOver.add(work);
  }

  // Other replicas must find the subscription when they read the new member; this flush fails while the broker is
  // unreachable.
  if (broker.connected()) await broker.unlessLost(() => broker.connection.flush()).catch(() => undefined);
  rebalance();
  await rebalancing;

  return {
    /** Gives all partitions to the other replicas. */
    async stop(): Promise<void> {
      isStopped = true;
      watch([]);
      signals.stopRebalancing();
      await rebalancing;
      await Promise.all(takingOver);
      await assign([]);
      signals.unsubscribe();
      await state.update((current) => leave(current, id));
      signals.notifyOthers();
    },
  };
}

const pingSubject = (broker: Broker, follower: string, member: string) =>
  broker.subject(`signals.followers.${follower}.ping.${member}`);

/** What makes a replica share the partitions anew: time, a change by another replica, a new connection. Also responds to pings. */
function openSignals(options: { broker: Broker; follower: string; id: string; rebalance: () => void }) {
  const { broker, follower, id, rebalance } = options;
  const changes = broker.subject(`signals.followers.${follower}.changed`);
  let renewTimer: NodeJS.Timeout | undefined;
  /** At the same times as other followers, because their leases are written together. */
  function scheduleRenewal(): void {
    renewTimer = setTimeout(() => {
      scheduleRenewal();
      rebalance();
    }, msUntilMultiple(RENEW_EVERY_MS));
  }
  scheduleRenewal();
  const pinged = broker.connection.subscribe(pingSubject(broker, follower, id), {
    callback: (error, message) => void (error ?? message.respond()),
  });
  const changed = broker.connection.subscribe(changes, {
    callback: (error, message) => {
      if (!error && message.string() !== id) rebalance();
    },
  });
  const offReconnect = broker.onReconnect(rebalance);
  return {
    notifyOthers(): void {
      if (broker.connected()) broker.connection.publish(changes, id);
    },
    stopRebalancing(): void {
      clearTimeout(renewTimer);
      offReconnect();
    },
    unsubscribe(): void {
      pinged.unsubscribe();
      changed.unsubscribe();
    },
  };
}

/**
 * Pings replicas, and reports one as soon as the server says that nobody responds. A timeout proves nothing: the replica may be busy.
 * Without any there is no timer: those of all followers would wake a process at rest many times a second.
 */
function watchReplicas(options: {
  broker: Broker;
  follower: string;
  onEnded: (member: string) => void;
  pingTimeoutMs?: number;
}): (members: readonly string[]) => void {
  const { broker, follower, onEnded, pingTimeoutMs: timeout = PING_TIMEOUT_MS } = options;
  let watched: readonly string[] = [];
  let timer: NodeJS.Timeout | undefined;
  const ping = (member: string) => {
    broker.connection.request(pingSubject(broker, follower, member), '', { timeout }).catch((error: unknown) => {
      if (isNoResponders(error) && broker.connected()) onEnded(member);
    });
  };
  return (members) => {
    watched = members;
    if (members.length === 0) {
      clearInterval(timer);
      timer = undefined;
    } else {
      // A ping without a response takes two seconds to time out: the next one does not wait for it.
      timer ??= setInterval(() => {
        if (broker.connected()) watched.forEach(ping);
      }, PING_EVERY_MS);
    }
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

function isNoResponders(error: unknown): boolean {
  const { name, isNoResponders: test } = error as { name?: string; isNoResponders?: () => boolean };
  return name === 'NoRespondersError' || test?.call(error) === true;
}
