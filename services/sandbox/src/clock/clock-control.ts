import { setTimeout as sleep } from 'node:timers/promises';
import type { MovableClock } from '@parley/clock';
import { busyMembers, isSettled, type Round } from './settled.ts';

/** The services that follow the test clock. */
export interface ClockMembers {
  /** Moves every member's clock; comes back when each has moved and its timers have noticed. */
  set(offsetMs: number): Promise<void>;
  report(): Promise<Round>;
}

/** The work that a move started did not come to an end. */
export class ClockNotSettled extends Error {
  /** The last round's reports of those still at work; empty if something was finished in every round. */
  readonly busy: Round;

  constructor(busy: Round) {
    super(`still at work: ${busy.map((member) => member.service).join(', ') || 'work keeps coming'}`);
    this.name = 'ClockNotSettled';
    this.busy = busy;
  }
}

export interface ClockControl {
  /** Moves the clock of the whole system forward; answers the new time once everything that came due is done. */
  advance(seconds: number): Promise<Date>;
  /** Back to real time. */
  reset(): Promise<void>;
}

export interface ClockControlOptions {
  clock: MovableClock;
  members: ClockMembers;
  /** How long the system may take to settle, in real time. */
  limitMs?: number;
  /** Real time that only goes forward; the clock that is moved measures nothing. */
  elapsedMs?: () => number;
  pause?: (ms: number) => Promise<unknown>;
}

const LIMIT_MS = 60_000;
/** Work that takes longer than this may go on while the clock moves. */
const PRESENT_LIMIT_MS = 5_000;
const ROUND_PAUSE_MS = 30;
const STEP_MS = 1;

export function createClockControl(options: ClockControlOptions): ClockControl {
  const { clock, members, limitMs = LIMIT_MS, elapsedMs = () => performance.now(), pause = sleep } = options;
  let lastTurn: Promise<unknown> = Promise.resolve();

  /** One move at a time: a second advance starts from where the first one ended. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = lastTurn.then(work);
    lastTurn = turn.catch(() => undefined);
    return turn;
  }

  async function moveTo(offsetMs: number): Promise<void> {
    const before = clock.offsetMs();
    // Before anybody else moves, so that a service that joins meanwhile is told the new time.
    clock.setOffsetMs(offsetMs);
    try {
      await members.set(offsetMs);
    } catch (error) {
      clock.setOffsetMs(before);
      throw error;
    }
    await settle(limitMs);
  }

  /** What was begun before a move belongs before it: a first attempt in flight is not to be dated into the future. */
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
      const current = await members.report();
      if (isSettled(previous, current)) return;
      if (elapsedMs() - startMs > withinMs) throw new ClockNotSettled(busyMembers(current));
      previous = current;
      await pause(ROUND_PAUSE_MS);
    }
  }

  return {
    advance: (seconds) =>
      inTurn(async () => {
        await finishPresent();
        await moveTo(clock.offsetMs() + Math.round(seconds * 1000));
        return clock.now();
      }),
    reset: () =>
      inTurn(async () => {
        // A stack that was stopped in the future starts at real time, with its plans still ahead. A step forward makes
        // this a way back for every member, and on the way back nothing is left waiting longer than it was meant to.
        if (clock.offsetMs() === 0) await members.set(STEP_MS);
        await moveTo(0);
      }),
  };
}
