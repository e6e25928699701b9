/** The source of time. Domain code receives an instant; its caller reads it from a clock. */
export interface Clock {
  now(): Date;
}

/** The machine's own time. Leases use it even where the product's clock can be moved: a lease protects against stopped processes. */
export const systemClock: Clock = { now: () => new Date() };

/** A clock that can be moved ahead of the machine's time: for tests and for the sandbox. */
export interface MovableClock extends Clock {
  /** The difference from the machine's time. */
  offsetMs(): number;
  /** Sets the distance; zero is real time again. */
  setOffsetMs(offsetMs: number): void;
  /** Is called after each move; `back`: the clock went back, so nothing may be left waiting in the future. */
  onMove(listener: (move: { back: boolean }) => void | Promise<void>): void;
  /** Waits until every listener has dealt with every move so far. */
  moved(): Promise<void>;
}

/** A clock that starts at `base` and can be moved ahead of it. */
export function movableClock(base: Clock = systemClock): MovableClock {
  let offset = 0;
  let running: Promise<unknown> = Promise.resolve();
  const listeners: ((move: { back: boolean }) => void | Promise<void>)[] = [];
  return {
    now: () => new Date(base.now().getTime() + offset),
    offsetMs: () => offset,
    setOffsetMs(next) {
      const back = next < offset;
      offset = next;
      running = Promise.allSettled([running, ...listeners.map(async (listener) => listener({ back }))]);
    },
    onMove: (listener) => void listeners.push(listener),
    moved: async () => void (await running),
  };
}
