/** After ten seconds, a minute, ten minutes, and then every hour for as long as the e-mail is of use. */
const RETRY_AFTER_MS = [10_000, 60_000, 600_000];
const RETRY_LATER_MS = 3_600_000;

/** The delay before the next attempt, after `tries` failed ones. */
export function mailRetryMs(tries: number): number {
  return RETRY_AFTER_MS[tries] ?? RETRY_LATER_MS;
}

/** An attempt's lease: longer than the mail server's time limits together. */
export const MAIL_LEASE_MS = 60_000;
