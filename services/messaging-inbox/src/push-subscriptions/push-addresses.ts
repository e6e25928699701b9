import type { Clock } from '@parley/clock';
import { LRUCache } from 'lru-cache';

interface Failing {
  readonly failures: number;
  readonly tryAgainAt: number;
}

const ADDRESSES_MAX = 10_000;
const WAIT_FIRST_MS = 2_000;
const WAIT_MAX_MS = 3600 * 1000;
/** With the pauses in between, two hours. */
const FAILURES_MAX = 12;
const LOG_EVERY_MS = 60_000;

/**
 * What this process knows of the addresses it sends push messages to, by their digests. An address belongs to whoever subscribed with it, and
 * may hang, fail or refuse on purpose.
 */
export function pushAddresses(clock: Clock) {
  const failing = new LRUCache<string, Failing>({ max: ADDRESSES_MAX });
  const loggedAt = new LRUCache<string, number>({ max: ADDRESSES_MAX });
  const nowMs = () => clock.now().getTime();
  return {
    /** False while an address that has failed is left alone. */
    mayTry: (address: string) => (failing.get(address)?.tryAgainAt ?? 0) <= nowMs(),
    succeeded: (address: string) => void failing.delete(address),
    /** Returns whether it has failed so often in a row that it is given up. */
    failed(address: string): boolean {
      const { failures = 0, tryAgainAt = 0 } = failing.get(address) ?? {};
      // Requests that were in progress together fail together, and count as one.
      if (tryAgainAt > nowMs()) return false;
      const waitMs = Math.min(WAIT_FIRST_MS * 2 ** failures, WAIT_MAX_MS);
      failing.set(address, { failures: failures + 1, tryAgainAt: nowMs() + waitMs });
      return failures + 1 >= FAILURES_MAX;
    },
    /** At most once in a while for each, so that no address fills the log. */
    mayLog(address: string): boolean {
      const last = loggedAt.get(address);
      if (last !== undefined && Math.abs(nowMs() - last) < LOG_EVERY_MS) return false;
      loggedAt.set(address, nowMs());
      return true;
    },
  };
}
