/** The source of time. Domain code receives an instant; its caller reads it from a clock. */
export interface Clock {
  now(): Date;
}

/** The machine's own time. Leases use it even where the product's clock can be moved: a lease protects against stopped processes. */
export const systemClock: Clock = { now: () => new Date() };

/** A clock that can be moved ahead of the machine's time: for tests and for the sandbox. */
export type MovableClock = ReturnType<typeof movableClock>;

type OnMove = (move: { back: boolean }) => void | Promise<void>;

/** A clock that starts at `base` and can be moved ahead of it. */
export function movableClock(base: Clock = systemClock) {
  let offset = 0;
  let running: Promise<unknown> = Promise.resolve();
  const listeners: OnMove[] = [];
  return {
    now: () => new Date(base.now().getTime() + offset),
    /** The difference from the machine's time. */
    offsetMs: () => offset,
    /** Sets the distance; zero is real time again. */
    setOffsetMs(next: number): void {
      const back = next < offset;
      offset = next;
      running = Promise.allSettled([running, ...listeners.map(async (listener) => listener({ back }))]);
    },
    /** Is called after each move; `back`: the clock went back, so nothing may be left waiting in the future. */
    onMove: (listener: OnMove) => void listeners.push(listener),
    /** Waits until every listener has dealt with every move so far. */
    moved: async (): Promise<void> => void (await running),
  };
}

/**
 * Microseconds since 1970 that always grow within a process: an order for things that happen in the same millisecond.
 * Only a clock that goes back by a second or more, as a test clock does, moves them back.
 */
export function microsecondTicker(clock: Clock): () => number {
  let last = 0;
  return () => {
    const now = clock.now().getTime() * 1000;
    last = now <= last && last - now < 1_000_000 ? last + 1 : now;
    return last;
  };
}

/** A timer may ring a little before its time. */
const EARLY_MS = 100;

/**
 * The time until the next whole multiple of an interval since the start of the process: what recurs at rest does so at the same
 * times, so that it can be done together.
 */
export function msUntilMultiple(everyMs: number, now = performance.now()): number {
  const inMs = everyMs - (now % everyMs);
  return inMs < EARLY_MS ? inMs + everyMs : inMs;
}

/** The result of `work`, or undefined after the timeout, by the machine's time. The work itself continues. */
export async function withTimeout<T>(limitMs: number, work: Promise<T>): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(late.resolve, limitMs, undefined);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
