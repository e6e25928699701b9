import type { ThrottleResult, Limit, Throttles } from '../throttles/throttle-store.ts';

/** One browser, or one address, guessing at one account. */
const GUESSES: Limit = { max: 10, windowSecs: 15 * 60 };
/** One address guessing at many accounts. */
const ADDRESS: Limit = { max: 300, windowSecs: 15 * 60 };
/** Many addresses guessing at one account. */
const ACCOUNT: Limit = { max: 100, windowSecs: 60 * 60 };
/** Guesses by a person who has the password, or access to an open session. */
const CODES: Limit = { max: 10, windowSecs: 15 * 60 };
/** Password reset e-mails to one person. */
const RESETS: Limit = { max: 5, windowSecs: 60 * 60 };
/** Password reset requests from one address. */
const RESETS_BY_ADDRESS: Limit = { max: 60, windowSecs: 15 * 60 };

/** An attempt to sign in. */
export interface Attempt {
  readonly emailKey: string;
  readonly address: string;
  /** The cookie of a browser that has signed in to this very account before; undefined for any other. */
  readonly knownDevice: string | undefined;
}

/** An attempt that may be made; its outcome is to be reported. */
export interface AllowedAttempt {
  readonly allowed: true;
  succeeded(): Promise<void>;
}

export type AttemptResult = AllowedAttempt | { readonly allowed: false; readonly retryAfterSecs: number };

/**
 * Slows guessing down without allowing others to lock an employee out: a browser that has signed in to the
 * account before is counted separately from others at the same account or address.
 */
export async function countAttempt(throttles: Throttles, attempt: Attempt): Promise<AttemptResult> {
  const { emailKey, address, knownDevice } = attempt;
  const own = ownKeyOf(attempt);
  const limits: [readonly string[], Limit][] = knownDevice
    ? [[own, GUESSES]]
    : [
        [own, GUESSES],
        [['address', address], ADDRESS],
        [['account', emailKey], ACCOUNT],
      ];
  const counted: ThrottleResult[] = [];
  for (const [what, limit] of limits) {
    const result = await throttles.consume(what, limit);
    if (!result.allowed) return result;
    counted.push(result);
  }
  return {
    allowed: true,
    async succeeded() {
      await throttles.clear(own);
      await Promise.all(counted.slice(1).map((result) => throttles.withdraw(result)));
    },
  };
}

function ownKeyOf({ emailKey, address, knownDevice }: Attempt): readonly string[] {
  return knownDevice ? ['device', knownDevice] : ['guesses', emailKey, address];
}

/** After a new password was set, guesses at the old one do not count. */
export function clearAttempts(throttles: Throttles, attempt: Attempt): Promise<void> {
  return throttles.clear(ownKeyOf(attempt));
}

/**
 * Limits e-mails to a mailbox. Existing and unknown addresses are treated the same, and e-mails
 * that others caused are the owner's to use; a browser that has signed in to the account before is counted separately.
 */
export async function countResetRequest(throttles: Throttles, attempt: Attempt): Promise<ThrottleResult> {
  const { emailKey, address, knownDevice } = attempt;
  if (knownDevice) return throttles.consume(['resets by device', knownDevice], RESETS);
  const byAddress = await throttles.consume(['resets by address', address], RESETS_BY_ADDRESS);
  return byAddress.allowed ? throttles.consume(['resets', emailKey], RESETS) : byAddress;
}

/**
 * The same for one-time codes. They require the password, so the account is limited as a whole; but here
 * too a browser that has signed in before is counted separately.
 */
export function countCodeAttempt(
  throttles: Throttles,
  employeeId: string,
  knownDevice?: string,
): Promise<AttemptResult> {
  return countOwnAttempt(throttles, ['codes', employeeId, ...(knownDevice === undefined ? [] : [knownDevice])]);
}

/** The same for the password that must be entered again before it is changed. */
export function countPasswordAttempt(throttles: Throttles, employeeId: string): Promise<AttemptResult> {
  return countOwnAttempt(throttles, ['passwords', employeeId]);
}

async function countOwnAttempt(throttles: Throttles, what: readonly string[]): Promise<AttemptResult> {
  const result = await throttles.consume(what, CODES);
  return result.allowed ? { allowed: true, succeeded: () => throttles.clear(what) } : result;
}
