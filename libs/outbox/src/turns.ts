/** Has work on one thing done one after the other, in the order it was asked for; work on other things does not wait. */
export interface Turns {
  /** The work's own outcome. Whether work before it failed makes no difference to it. */
  inTurn<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** How many things are being worked on; nothing is kept of the others. */
  size(): number;
}

/**
 * A turn saves trouble and guarantees nothing: whoever has waited `waitMaxMs` goes ahead, so that work that hangs holds
 * up nobody for longer than that.
 */
export function takeTurns(waitMaxMs: number): Turns {
  /** For each thing the end of the last turn that was asked for. */
  const lastTurns = new Map<string, Promise<void>>();
  return {
    async inTurn(key, work) {
      const before = lastTurns.get(key);
      const { promise: mine, resolve: end } = Promise.withResolvers<void>();
      lastTurns.set(key, mine);
      if (before) await atMost(waitMaxMs, before);
      try {
        return await work();
      } finally {
        end();
        if (lastTurns.get(key) === mine) lastTurns.delete(key);
      }
    },
    size: () => lastTurns.size,
  };
}

function atMost(limitMs: number, turn: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, limitMs);
    void turn.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
