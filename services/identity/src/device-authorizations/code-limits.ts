import type { ThrottleResult, Limit, Throttles } from '../throttles/throttle-store.ts';

/** Wrong codes in one session. */
const WRONG_BY_SESSION: Limit = { max: 5, windowSecs: 15 * 60 };
/** Wrong codes from one address, whoever is signed in there. */
const WRONG_BY_ADDRESS: Limit = { max: 20, windowSecs: 15 * 60 };

export type EntryAttempt =
  | { readonly allowed: true; /** The code was right: it does not count. */ readonly withdraw: () => Promise<void> }
  | { readonly allowed: false; readonly retryAfterSecs: number };

/**
 * Counts a code before it is looked up, so that guesses at the same time are no more than the limit. A right one is only taken
 * back: whoever guesses could enter codes of their own in between.
 */
export async function countEntry(throttles: Throttles, sessionId: string, address: string): Promise<EntryAttempt> {
  const counted: ThrottleResult[] = [];
  const withdraw = async () => void (await Promise.all(counted.map((result) => throttles.withdraw(result))));
  const limits = [
    [['user codes of a session', sessionId], WRONG_BY_SESSION],
    [['user codes of an address', address], WRONG_BY_ADDRESS],
  ] as const;
  for (const [what, limit] of limits) {
    const result = await throttles.consume(what, limit);
    if (!result.allowed) {
      await withdraw();
      return result;
    }
    counted.push(result);
  }
  return { allowed: true, withdraw };
}
