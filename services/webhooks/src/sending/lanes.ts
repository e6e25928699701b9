import { type BackgroundWork, type Clock, systemClock } from '@parley/clock';
import { dueIn, type Lease, newLease } from '@parley/aggregates';
import { newId } from '@parley/secrets';
import { counterFromZero, type Telemetry } from '@parley/telemetry';
import { LRUCache } from 'lru-cache';
import {
  beginAttempt,
  type Delivery,
  isNextFact,
  isSettled,
  laneOf,
  newDelivery,
  type NewInLane,
  returnTurn,
  takeTurn,
} from '../deliveries/delivery.ts';
import { type Claimed, type Deliveries, type StoredDelivery, toDelivery } from '../deliveries/delivery-store.ts';
import type { Subscriptions } from '../subscriptions/subscription-store.ts';
import { isDelivering, type Subscription } from '../subscriptions/subscription.ts';
import type { MakeAttempt } from './attempt.ts';
import { hasRoom, type Lane, type LaneEvent, type LaneStep, stepOf, type Turn, TURNS_MAX } from './lane.ts';
import type { Receivers, RequestPermit } from './receivers.ts';

/** The share of a lease in which the turns claimed under it may be sent; an attempt fits in the rest. */
const TURNS_SHARE = 0.4;
/** Lanes whose last delivery is remembered: those of the calls of some minutes. */
const SETTLED_MAX = 10_000;

/** A new event for a subscription, with its body. */
export interface Added {
  readonly given: NewInLane;
  readonly body: string;
}

export type Lanes = ReturnType<typeof openLanes>;

export interface LanesDeps {
  readonly deliveries: Deliveries;
  readonly subscriptions: Pick<Subscriptions, 'recent' | 'current'>;
  readonly receivers: Receivers;
  readonly makeAttempt: MakeAttempt;
  readonly clock: Clock;
  readonly backgroundWork: BackgroundWork;
  readonly telemetry: Pick<Telemetry, 'meter' | 'log'>;
  /** Longer than an attempt takes with its wait for a permit and the writes around it. Past it, the attempt was interrupted. */
  readonly leaseMs: number;
  /** Something in the database is due now. */
  readonly onDue: () => void;
}

/** The deliveries of a lane that this process sends now. */
interface Run {
  readonly key: string;
  readonly subscription: Subscription;
  lane: Lane;
}

/** What the parts of this file share. */
interface LanesContext extends LanesDeps {
  readonly runs: Runs;
  /** Aborted when nothing more is to be started. */
  readonly stopping: AbortSignal;
  /** All leases have one owner, because a delivery is new only once: so all results are one write. */
  readonly newLease: () => Lease;
}

/** Sends the deliveries of each lane one after the other. */
export function openLanes(deps: LanesDeps) {
  const owner = newId('lease');
  const stopping = new AbortController();
  const context = {
    ...deps,
    runs: openRuns(),
    stopping: stopping.signal,
    newLease: () => newLease(deps.leaseMs, owner),
  };
  const waiting = openWaiting(context);
  const sender = openSender(context, waiting);
  const inBackground = new Set<Promise<void>>();

  /** The end is recorded, not awaited here. */
  function sendInBackground(run: Run, first: Turn, permit: RequestPermit): void {
    const sending: Promise<void> = deps.backgroundWork
      .during(() => sender.sendLane(run, first, permit))
      .catch((error: unknown) =>
        deps.telemetry.log.error({ err: error, delivery: first.delivery.id }, 'attempt failed; it is tried again'),
      )
      .finally(() => inBackground.delete(sending));
    inBackground.add(sending);
  }

  return {
    add: openIntake(context, waiting, sendInBackground),
    sendDue: sender.sendDue,
    waiting,
    /** Resolves when what was added and is sent now has ended. */
    settled: () => Promise.allSettled(inBackground),
    /** Starts nothing more, and waits for what is sent now. */
    stop() {
      stopping.abort();
      return Promise.allSettled(inBackground);
    },
  };
}

type Runs = ReturnType<typeof openRuns>;

function openRuns() {
  /** Keyed by lane. */
  const runs = new Map<string, Run>();
  const lastPositions = new LRUCache<string, number>({ max: SETTLED_MAX });
  return {
    of: (key: string) => runs.get(key),
    begin: (run: Run) => void runs.set(run.key, run),
    apply(run: Run, event: LaneEvent): LaneStep {
      const step = stepOf(run.lane, event);
      run.lane = step.lane;
      if (step.lane.kind !== 'idle') return step;
      if (runs.get(run.key) === run) runs.delete(run.key);
      if (step.lane.lastPosition !== undefined) lastPositions.set(run.key, step.lane.lastPosition);
      return step;
    },
    /** True when this process knows that everything before a position is settled. */
    isNext: (key: string, position: number) => isNextFact(lastPositions.get(key), position),
  };
}

type Waiting = ReturnType<typeof openWaiting>;

/** The deliveries that wait in the database. */
function openWaiting({ deliveries, subscriptions, clock, runs, onDue }: LanesContext) {
  /** Makes due what waited for the end of a pause. */
  async function resume(subscriptionId: string): Promise<void> {
    if ((await deliveries.resume(subscriptionId, dueIn(clock.now(), 0))) > 0) onDue();
  }

  /** Makes the first of a lane due, if it waits for its turn. */
  async function advance(key: string): Promise<void> {
    if (await deliveries.advanceLane(key, dueIn(clock.now(), 0))) onDue();
  }

  return {
    resume,
    advance,
    /** Resumed between the read of the subscription and the write of the suspension: nothing else would make it due. */
    async resumeIfDelivering(subscriptionId: string): Promise<void> {
      const subscription = await subscriptions.current(subscriptionId);
      if (subscription && isDelivering(subscription)) await resume(subscriptionId);
    },
    /** A delivery was stored that waits for its turn: the process that sends those before it searches for it. */
    async announce(key: string): Promise<void> {
      const here = runs.of(key);
      if (here) runs.apply(here, { kind: 'waiting' });
      // Without one that is being tried, the previous one may have been settled before this one was stored.
      else if (!(await deliveries.markSuccessor(key))) await advance(key);
    },
    /** What was claimed and is not sent waits in the database from now on. */
    async returnTurns(turns: readonly Turn[]): Promise<void> {
      const areStored = await Promise.all(turns.map(async ({ isNew }) => (isNew ? isNew.catch(() => false) : true)));
      const returned = turns.filter((_, index) => areStored[index]);
      await Promise.all(
        returned.map(({ delivery, lease }) => deliveries.record({ delivery: returnTurn(delivery), lease })),
      );
    },
  };
}

function openSender(context: LanesContext, waiting: Waiting) {
  const { deliveries, subscriptions, receivers, clock, runs } = context;
  const { send, record } = openTurnSender(context, waiting);

  /** Sends a delivery, and those that wait behind it in its lane. */
  async function sendLane(run: Run, first: Turn, permit: RequestPermit): Promise<void> {
    runs.begin(run);
    try {
      let event = await send(run, first, permit);
      for (;;) {
        const { returned, next } = runs.apply(run, event);
        await waiting.returnTurns(returned);
        if (next === undefined) break;
        event = next === 'read' ? await readTurns(run) : await sendNext(run, next);
      }
    } catch (error) {
      await waiting.returnTurns(runs.apply(run, { kind: 'interrupted' }).returned);
      throw error;
    }
    // Stored since the database was last read, with this run as the one that would read it again.
    if (run.lane.hasMore) await waiting.announce(run.key);
  }

  async function readTurns({ key }: Run): Promise<LaneEvent> {
    return { kind: 'read', turns: await deliveries.takeTurns(key, context.newLease(), TURNS_MAX, clock.now()) };
  }

  async function sendNext(run: Run, turn: Turn): Promise<LaneEvent> {
    if (turn.isNew && !(await turn.isNew.catch(() => false))) return { kind: 'duplicate' };
    const isInTime = !context.stopping.aborted && leftOf(turn.lease!) > context.leaseMs * (1 - TURNS_SHARE);
    const permit = isInTime ? receivers.permitForNew(run.subscription) : undefined;
    if (!permit) return { kind: 'interrupted', unsent: turn };
    // In a lane that is busy the next one is most likely stored before this result.
    return send(run, { ...turn, delivery: takeTurn(turn.delivery, clock.now()), isNextReady: true }, permit);
  }

  /** Sends a claimed delivery: a retry, a first attempt without capacity, or one that a crashed process left. */
  async function sendDue(stored: StoredDelivery): Promise<void> {
    const { claim: lease, hasSuccessor } = stored;
    const delivery = toDelivery(stored);
    const { companyId, subscriptionId, subject, lane } = delivery;
    if (isSettled(delivery)) {
      const mayHaveSuccessor = await record({ delivery, lease, hasSuccessor });
      return mayHaveSuccessor && subject !== null ? waiting.advance(laneOf(subscriptionId, subject)) : undefined;
    }
    const subscription = await subscriptions.recent(companyId, subscriptionId);
    if (!subscription) return deliveries.remove(delivery.id);
    const permit = receivers.permit(subscription);
    const run: Run = { key: lane ?? '', subscription, lane: { kind: 'closed', hasMore: false, turns: [] } };
    // After a crash, others that the process had in memory may wait behind it.
    const turn = { delivery, lease, hasSuccessor: hasSuccessor || delivery.attempts.length > 1 };
    return lane === null ? void (await send(run, turn, permit)) : sendLane(run, turn, permit);
  }

  return { sendLane, sendDue };
}

function leftOf({ until }: Lease): number {
  return until.getTime() - systemClock.now().getTime();
}

function openTurnSender({ deliveries, makeAttempt, telemetry }: LanesContext, waiting: Waiting) {
  const givenUp = counterFromZero(telemetry.meter, 'parley_webhook_deliveries_failed_total');

  /** False when certainly no other delivery waits for it in the database. */
  function record(claimed: Claimed): Promise<boolean> {
    if (claimed.delivery.status === 'failed') givenUp.add(1);
    return deliveries.record(claimed);
  }

  /** Makes the attempt and stores its result: so after a crash it is not sent again behind the next one. */
  async function send(run: Run, { delivery: begun, ...turn }: Turn, permit: RequestPermit): Promise<LaneEvent> {
    const delivery = await makeAttempt(begun, permit, turn.body);
    if (!delivery) {
      await deliveries.remove(begun.id);
      return { kind: 'interrupted' };
    }
    const hasSuccessor = turn.hasSuccessor || run.lane.hasMore;
    const isNextReady = turn.isNextReady || (run.lane.kind !== 'idle' && run.lane.turns.length > 0);
    const mayHaveSuccessor = await record({ delivery, lease: turn.lease, hasSuccessor, isNextReady });
    if (delivery.waitsFor === 'resume') await waiting.resumeIfDelivering(delivery.subscriptionId);
    return isSettled(delivery)
      ? { kind: 'settled', position: delivery.position, mayHaveSuccessor }
      : { kind: 'interrupted' };
  }

  return { send, record };
}

/** Stores new deliveries of one lane, in their order, and starts to send them if nothing is before them. */
function openIntake(
  { deliveries, receivers, clock, runs, stopping, newLease: lease, onDue }: LanesContext,
  waiting: Waiting,
  sendInBackground: (run: Run, first: Turn, permit: RequestPermit) => void,
) {
  /** Stores a new delivery; with its body it is claimed, and its attempt begins. */
  function store(unclaimed: Delivery, body?: string) {
    const isClaimed = body !== undefined;
    const delivery = isClaimed ? beginAttempt(unclaimed, clock.now()) : unclaimed;
    const claimed = { delivery, lease: isClaimed ? lease() : null };
    return { ...claimed, isNew: deliveries.insert(claimed), ...(isClaimed && { body }) };
  }

  /** Stores deliveries behind those that this process sends now, claimed, so that they are sent without being read. */
  async function storeBehind(run: Run, added: readonly Added[]): Promise<void> {
    const waits = { paused: false, laneFree: false };
    const turns = added.map(({ given, body }) => store(newDelivery(given, waits, clock.now()), body));
    runs.apply(run, { kind: 'stored', turns });
    await Promise.all(turns.map(({ isNew }) => isNew));
  }

  /** True when everything before a position is settled. */
  async function isFree(key: string, position: number): Promise<boolean> {
    return !runs.of(key) && (runs.isNext(key, position) || !(await deliveries.isLaneTaken(key)));
  }

  /** Stores deliveries of a lane that this process does not send; the first is sent now if the lane is free and there is capacity. */
  async function storeFirst(subscription: Subscription, added: readonly Added[], key: string): Promise<void> {
    const paused = !isDelivering(subscription);
    const laneFree = !paused && (await isFree(key, added[0]!.given.position));
    const permit = laneFree && !stopping.aborted ? receivers.permitForNew(subscription) : undefined;
    const claimedMax = permit ? (added.length > TURNS_MAX ? 1 : added.length) : 0;
    const stored = added.map(({ given, body }, nth) => {
      const delivery = newDelivery(given, { paused, laneFree: laneFree && nth === 0 }, clock.now());
      return store(delivery, nth < claimedMax ? body : undefined);
    });
    let isNew: boolean | undefined = false;
    try {
      [isNew] = await Promise.all(stored.map((one) => one.isNew));
    } finally {
      if (!isNew) permit?.release();
    }
    const [first, ...turns] = stored.slice(0, claimedMax);
    if (isNew && permit && first) {
      sendInBackground({ key, subscription, lane: { kind: 'sending', hasMore: false, turns } }, first, permit);
      if (claimedMax === added.length) return;
    } else {
      await waiting.returnTurns(turns);
      if (isNew && laneFree) onDue();
    }
    if (!paused && (added.length > 1 || !laneFree)) await waiting.announce(key);
  }

  return async function add(subscription: Subscription, added: readonly Added[]): Promise<void> {
    const key = laneOf(subscription.id, added[0]!.given.subject);
    const run = isDelivering(subscription) ? runs.of(key) : undefined;
    if (run && !stopping.aborted && hasRoom(run.lane, added.length)) return storeBehind(run, added);
    // What waits in the database from now on is sent before anything that is stored later.
    if (run) runs.apply(run, { kind: 'waiting' });
    return storeFirst(subscription, added, key);
  };
}
