/** Earlier updates are forgotten: a page that has read longer ago reads again. */
const KEPT_MS = 30_000;

/** When companies had their last update. A page asks whether what it has read before it was connected can be out of date. */
export function recentUpdates(now: () => number = () => performance.now()) {
  /** Oldest first. */
  const updated = new Map<string, number>();
  let knownSince = now();

  function forget(before: number): void {
    for (const [companyId, at] of updated) {
      if (at >= before) return;
      updated.delete(companyId);
    }
  }

  return {
    add(companyId: string): void {
      updated.delete(companyId);
      updated.set(companyId, now());
      forget(now() - KEPT_MS);
    },
    /** Updates may have been missed. */
    reset(): void {
      knownSince = now();
    },
    /** True when a company has had no update in the last milliseconds, and none can have been missed. */
    isQuiet(companyId: string, lastMs: number): boolean {
      const since = now() - lastMs;
      return lastMs < KEPT_MS && since > knownSince && (updated.get(companyId) ?? -Infinity) < since;
    },
  };
}
