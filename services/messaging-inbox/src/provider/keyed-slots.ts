/** Runs work by key. Work whose `signal` was aborted while it waited is not started. */
type RunInSlot = <T>(key: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/** Work by key, such as a company, at most so much of one at a time: a flood of one leaves room for the others. */
export function keyedSlots(perKeyMax: number): RunInSlot {
  const keys = new Map<string, { running: number; waiting: (() => void)[] }>();
  return async (key, signal, work) => {
    const one = keys.get(key) ?? { running: 0, waiting: [] };
    keys.set(key, one);
    if (one.running < perKeyMax) one.running += 1;
    else await new Promise<void>((resolve) => one.waiting.push(resolve));
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      const next = one.waiting.shift();
      if (next) next();
      else one.running -= 1;
      if (one.running === 0) keys.delete(key);
    }
  };
}
