import { type Clock, systemClock } from '@parley/clock';
import type { Lease } from '@parley/aggregates';
import { LRUCache } from 'lru-cache';
import { beginAttempt, type Delivery, isSettled, laneOf, returnTurn, takeTurn } from '../deliveries/delivery.ts';
import type { Claimed, Deliveries } from '../deliveries/delivery-store.ts';
import type { Subscription } from '../subscriptions/subscription.ts';
import type { Receivers, RequestPermit } from './receivers.ts';

/** The deliveries of a lane that are claimed together, to be sent one after the other. */
const TURNS_MAX = 20;
/** The share of a lease in which the turns claimed under it may be sent; an attempt fits in the rest. */
const TURNS_SHARE = 0.4;
/** Lanes whose last delivery is remembered: those of the calls of some minutes. */
const SETTLED_MAX = 10_000;

/** An attempt that begins in the write that stores its delivery. */
export interface Started extends Claimed {
  readonly permit: RequestPermit;
  /** The decrypted body, where it is known. */
  readonly body?: string;
  /** The subscription as it was when the permit was made, or a moment before; otherwise the attempt reads it. */
  readonly subscription?: Promise<Subscription | undefined>;
}

/** An attempt that was made. */
export interface Made extends Claimed {
  readonly subscription: Subscription;
}

/** A delivery that is stored behind one that this process sends, claimed by the same write. */
export interface Behind extends Claimed {
  readonly lease: Lease;
  readonly body: string;
}

/** The deliveries of a lane that this process sends now, one after the other. */
interface LaneRun {
  /** Another delivery waits in the database since it was last read. */
  hasMore: boolean;
  /** What this process has stored behind the first since the run began, in its order; undefined for what was there already. */
  readonly behind: Promise<Behind | undefined>[];
  /** Others may wait in the database, and nothing may be sent before them: `behind` takes no more. */
  isClosed: boolean;
}

interface Added {
  readonly delivery: Delivery;
  readonly body: string;
}

export interface LaneRuns {
  /**
   * Makes an attempt, and those of the deliveries that wait behind it in its lane. `behind`: those that were stored with it, when nothing waited
   * in the lane before; undefined for one that was there already.
   */
  deliver(started: Started, behind?: readonly (Behind | undefined)[]): Promise<void>;
  /** True while this process sends a delivery of the lane. */
  isRunning(lane: string): boolean;
  /** The position of the lane's last delivery, if this process has settled it and nothing waited behind it. */
  lastSettled(lane: string): number | undefined;
  /** Claims deliveries that are stored with the first one of their lane; undefined when they are too many. */
  claimBehind(added: readonly Added[]): Behind[] | undefined;
  /** What was stored as claimed waits in the database from now on. */
  returnTurns(turns: readonly Claimed[]): Promise<void>;
  /**
   * Stores new deliveries behind those that this process sends now, claimed, so that they are sent without being read; undefined
   * when they have to wait in the database.
   */
  storeBehind(lane: string, added: readonly Added[]): Promise<void> | undefined;
  /** A delivery was stored that waits for its turn: the process that sends those before it searches for it. */
  addWaiting(subscriptionId: string, subject: string): Promise<void>;
}

export function laneRuns(options: {
  deliveries: Deliveries;
  receivers: Receivers;
  clock: Clock;
  leaseMs: number;
  newLease: () => Lease;
  isStopped: () => boolean;
  /** Undefined when no request was made. `before` is awaited before the request. */
  attempt: (started: Started, before?: Promise<unknown>) => Promise<Made | undefined>;
  /** Stores the result of an attempt; false when certainly no other delivery waits for it in the database. */
  record: (claimed: Claimed) => Promise<boolean>;
  advanceLane: (subscriptionId: string, subject: string) => Promise<void>;
}): LaneRuns {
  const { deliveries, receivers, clock, leaseMs, newLease, isStopped, attempt, record, advanceLane } = options;
  /** The runs of this process, keyed by lane. */
  const runs = new Map<string, LaneRun>();
  const settled = new LRUCache<string, number>({ max: SETTLED_MAX });

  async function deliver(started: Started, behind?: readonly (Behind | undefined)[]): Promise<void> {
    const { lane, subject, subscriptionId } = started.delivery;
    if (lane === null || subject === null) {
      const made = await attempt(started);
      return made && void (await record(made));
    }
    const run: LaneRun = {
      hasMore: false,
      behind: (behind ?? []).map((one) => Promise.resolve(one)),
      isClosed: behind === undefined,
    };
    runs.set(lane, run);
    try {
      await sendLane(started, run, lane);
    } finally {
      run.isClosed = true;
      if (runs.get(lane) === run) runs.delete(lane);
      await giveBack(run);
    }
    // Stored since the last look, with this run as the one that would look again.
    if (run.hasMore) await addWaiting(subscriptionId, subject);
  }

  async function sendLane(first: Started, run: LaneRun, lane: string): Promise<void> {
    const made = await attempt(first);
    if (!made) return;
    const followed = made.followed || run.hasMore;
    const mayBeFollowed = await record({ ...made, followed, awaited: run.behind.length > 0 });
    if (!isSettled(made.delivery)) return;
    if (!mayBeFollowed && !run.hasMore && !(await sendBehind(made, run, lane))) return;
    await giveBack(run);
    if (!mayBeFollowed && !run.hasMore) return;
    for (let isSent = true; isSent;) {
      run.hasMore = false;
      const turns = await deliveries.takeTurns(lane, newLease(), TURNS_MAX, clock.now());
      if (turns.length === 0 && !run.hasMore) return;
      isSent = await sendTurns(turns, made.subscription);
    }
  }

  /**
   * Sends what this process has stored behind the first one. Each is sent once the one before is recorded, and while nothing that
   * another process has stored waits for that one. False when one is not settled or has to be sent later.
   */
  async function sendBehind({ delivery: first, subscription }: Made, run: LaneRun, lane: string): Promise<boolean> {
    for (let { position } = first; ;) {
      const storing = run.behind.shift();
      if (!storing) {
        run.isClosed = true;
        settled.set(lane, position);
        return true;
      }
      const turn = await storing.catch(() => undefined);
      if (!turn) {
        run.hasMore = true;
        return true;
      }
      const permit = isInTime(turn.lease) ? receivers.permitForNew(subscription) : undefined;
      if (!permit) {
        run.behind.unshift(storing);
        return false;
      }
      const made = await attempt({ ...turn, delivery: takeTurn(turn.delivery, clock.now()), permit });
      // In a lane that is busy the next one is most likely stored before this result.
      const mayBeFollowed = made && (await record({ ...made, awaited: true }));
      if (!made || !isSettled(made.delivery)) return false;
      if (mayBeFollowed) run.hasMore = true;
      if (run.hasMore) return true;
      position = made.delivery.position;
    }
  }

  const isInTime = ({ until }: Lease) =>
    !isStopped() && until.getTime() - systemClock.now().getTime() > leaseMs * (1 - TURNS_SHARE);

  /** What was stored behind the run and is not sent by it waits in the database from now on. */
  async function giveBack(run: LaneRun): Promise<void> {
    run.isClosed = true;
    if (run.behind.length === 0) return;
    run.hasMore = true;
    const stored = await Promise.all(run.behind.splice(0).map((storing) => storing.catch(() => undefined)));
    await returnTurns(stored.filter((turn) => turn !== undefined));
  }

  /** Sends deliveries of a lane one after the other; false when one is not settled or has to be sent later. */
  async function sendTurns(turns: readonly Claimed[], subscription: Subscription): Promise<boolean> {
    let recording: Promise<unknown> | undefined;
    for (const [index, turn] of turns.entries()) {
      const permit = isInTime(turn.lease!) ? receivers.permitForNew(subscription) : undefined;
      if (!permit) {
        await recording;
        await returnTurns(turns.slice(index));
        await advanceLane(subscription.id, turn.delivery.subject!);
        return false;
      }
      // The one before is recorded first: after a crash it is not sent again behind this one.
      const delivery = takeTurn(turn.delivery, clock.now());
      const made = await attempt({ ...turn, delivery, permit }, recording);
      recording = made && record({ ...made, followed: true });
      if (made && isSettled(made.delivery)) continue;
      await recording;
      await returnTurns(turns.slice(index + 1));
      return false;
    }
    await recording;
    return true;
  }

  async function returnTurns(turns: readonly Claimed[]): Promise<void> {
    const returned = turns.map(({ delivery, lease }) => ({ delivery: returnTurn(delivery), lease }));
    await Promise.all(returned.map(deliveries.record));
  }

  async function addWaiting(subscriptionId: string, subject: string): Promise<void> {
    const lane = laneOf(subscriptionId, subject);
    const here = runs.get(lane);
    if (here) here.hasMore = true;
    // Without one that is being tried, the previous one may have been settled before this one was stored.
    else if (!(await deliveries.follow(lane))) await advanceLane(subscriptionId, subject);
  }

  const claim = ({ delivery, body }: Added): Behind => ({
    delivery: beginAttempt(delivery, clock.now()),
    lease: newLease(),
    body,
  });

  return {
    deliver,
    addWaiting,
    returnTurns,
    isRunning: (lane) => runs.has(lane),
    lastSettled: (lane) => settled.get(lane),
    claimBehind: (added) => (added.length > TURNS_MAX ? undefined : added.map(claim)),
    storeBehind(lane, added) {
      const run = runs.get(lane);
      if (!run) return undefined;
      // What waits in the database from now on is sent before anything that is stored later.
      run.isClosed ||= run.hasMore || isStopped() || run.behind.length + added.length > TURNS_MAX;
      if (run.isClosed) return undefined;
      const storing = added.map(claim).map(async (one) => ((await deliveries.insert(one)) ? one : undefined));
      run.behind.push(...storing);
      return Promise.all(storing).then(() => undefined);
    },
  };
}
