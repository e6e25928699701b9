import { setTimeout as sleep } from 'node:timers/promises';
import type { MovableClock } from '@parley/clock';

/** The services that follow the test clock. */
export interface ClockMembers {
  /** Moves every member's clock; resolves when each has moved and its timers are updated. */
  set(offsetMs: number): Promise<void>;
  report(): Promise<Round>;
}

/** The telephone network, which runs inside the sandbox and is moved with the clock. */
interface ClockedNetwork {
  /** The time until something is due; undefined when nothing is scheduled. */
  nextDueInMs(): number | undefined;
  /** Does what came due. */
  fireDue(): void;
  report(): { busy: number; finished: number };
}

/** The work that a move started did not finish within the limit. */
export class ClockNotSettled extends Error {
  /** The busy members of the last round; empty if work kept finishing in every round. */
  readonly busy: Round;

  constructor(busy: Round) {
    super(`still at work: ${busy.map((member) => member.service).join(', ') || 'work keeps coming'}`);
    this.name = 'ClockNotSettled';
    this.busy = busy;
  }
}

export type ClockControl = ReturnType<typeof createClockControl>;

interface ClockControlOptions {
  clock: MovableClock;
  members: ClockMembers;
  network?: ClockedNetwork | undefined;
  /** The longest time the system may take to become idle, in real time. */
  limitMs?: number;
  /** Monotonic real time. */
  elapsedMs?: () => number;
  pause?: (ms: number) => Promise<unknown>;
}

const LIMIT_MS = 60_000;
/** Work that takes longer than this may continue while the clock moves. */
const PRESENT_LIMIT_MS = 5_000;
const ROUND_PAUSE_MS = 30;
const STEP_MS = 1;
/** Moments of the network that one advance stops at; what is due in between after that is done at its end. */
const STOPS_MAX = 40;

export function createClockControl(options: ClockControlOptions) {
  const { clock, members, network, limitMs = LIMIT_MS, elapsedMs = () => performance.now(), pause = sleep } = options;
  let lastMove: Promise<unknown> = Promise.resolve();

  /** One move at a time: a second advance starts from where the first one ended. */
  function serialized<T>(work: () => Promise<T>): Promise<T> {
    const current = lastMove.then(work);
    lastMove = current.catch(() => undefined);
    return current;
  }

  async function moveTo(offsetMs: number): Promise<void> {
    const before = clock.offsetMs();
    // First, so that a service that joins meanwhile gets the new time.
    clock.setOffsetMs(offsetMs);
    try {
      await members.set(offsetMs);
    } catch (error) {
      clock.setOffsetMs(before);
      throw error;
    }
    await settle(limitMs);
    // The services' own timers come first: a real switch gives them a second more.
    const due = network?.nextDueInMs() === 0;
    network?.fireDue();
    if (due) await settle(limitMs);
  }

  /** Stops wherever something is due in the network, so that what it leads to happens in its order. */
  async function moveInStops(targetMs: number): Promise<void> {
    for (let stop = 0; stop < STOPS_MAX; stop += 1) {
      const dueInMs = network?.nextDueInMs();
      const dueMs = clock.offsetMs() + Math.max(STEP_MS, Math.ceil(dueInMs ?? Infinity));
      if (dueMs >= targetMs) break;
      await moveTo(dueMs);
    }
    await moveTo(targetMs);
  }

  async function pollMembers(): Promise<Round> {
    if (!network) return members.report();
    const round = await members.report();
    return [...round, { instance: 'telephone-network', service: 'sandbox', ...network.report() }];
  }

  /** Lets work in flight finish before a move, so that it is not dated into the future. */
  async function finishPresent(): Promise<void> {
    try {
      await settle(PRESENT_LIMIT_MS);
    } catch (error) {
      if (!(error instanceof ClockNotSettled)) throw error;
    }
  }

  async function settle(withinMs: number): Promise<void> {
    const startMs = elapsedMs();
    let previous: Round | undefined;
    for (;;) {
      const current = await pollMembers();
      if (isSettled(previous, current)) return;
      if (elapsedMs() - startMs > withinMs) throw new ClockNotSettled(busyMembers(current));
      previous = current;
      await pause(ROUND_PAUSE_MS);
    }
  }

  return {
    /** Moves the clock of the whole system forward; returns the new time once everything that came due is done. */
    advance: (seconds: number) =>
      serialized(async () => {
        await finishPresent();
        await moveInStops(clock.offsetMs() + Math.round(seconds * 1000));
        return clock.now();
      }),
    /** Moves it back, for what shall have happened before. */
    rewind: (seconds: number) =>
      serialized(async () => {
        await finishPresent();
        await moveTo(clock.offsetMs() - Math.round(seconds * 1000));
        return clock.now();
      }),
    /** Back to real time. */
    reset: () =>
      serialized(async () => {
        // A stack that was stopped in the future starts at real time, with its plans still ahead. A step forward makes
        // this a move back for every member, after which nothing waits longer than intended.
        if (clock.offsetMs() === 0) await members.set(STEP_MS);
        await moveTo(0);
      }),
  };
}

/** A service's report on its background work. */
interface MemberReport {
  readonly instance: string;
  readonly service: string;
  /** Running, due or queued. */
  readonly busy: number;
  /** Since the service started. */
  readonly finished: number;
}

/** One report from every service, requested at the same time. */
export type Round = readonly MemberReport[];

/**
 * Decides whether all work has finished. One idle round is not enough: work can be in transit from a service that has reported to
 * one that has not. Two idle rounds of the same services, with nothing finished in between, are.
 */
export function isSettled(previous: Round | undefined, current: Round): boolean {
  return previous !== undefined && isIdle(previous) && isIdle(current) && progressOf(previous) === progressOf(current);
}

/** The members that are still busy. */
function busyMembers(round: Round): Round {
  return round.filter((member) => member.busy > 0);
}

const isIdle = (round: Round): boolean => busyMembers(round).length === 0;

const progressOf = (round: Round): string =>
  round
    .map(({ instance, finished }) => `${instance}=${finished}`)
    .sort()
    .join(' ');
