/** How long events have been waiting for one that is missing. Kept in memory: after a restart the wait begins anew. */
export interface Gaps {
  /** How long, in milliseconds, this one has been missed; notes when it is missed for the first time. */
  missedForMs(line: string, missing: number): number;
  /** Nothing is missing there any more. */
  closed(line: string): void;
}

const REMEMBERED_MAX = 10_000;

export function trackGaps(elapsedMs: () => number = () => performance.now()): Gaps {
  const gaps = new Map<string, { missing: number; since: number }>();
  return {
    missedForMs(line, missing) {
      const now = elapsedMs();
      const known = gaps.get(line);
      if (known?.missing === missing) return now - known.since;
      if (gaps.size >= REMEMBERED_MAX) gaps.clear();
      gaps.set(line, { missing, since: now });
      return 0;
    },
    closed: (line) => void gaps.delete(line),
  };
}
