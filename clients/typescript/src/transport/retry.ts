/** The first wait; each further one is twice as long. */
const FIRST_DELAY_MS = 500;
const DELAY_MS_MAX = 8000;
/** A wait differs by up to a fifth, so that clients which failed together do not return together. */
const JITTER = 0.2;
/** A longer `Retry-After` is an error at once. */
const RETRY_AFTER_SECS_MAX = 60;

const REPEATABLE_STATUSES = new Set([429, 502, 503, 504]);

/** What became of an attempt that did not succeed. */
export type Failure =
  | { readonly kind: 'response'; readonly status: number; readonly retryAfterSecs: number | undefined }
  /** `sent`: the service may have received the request. */
  | { readonly kind: 'no response'; readonly sent: boolean };

/**
 * How long to wait before the request is repeated; undefined when it must not be. `repeatable`: the request may be executed
 * twice with the effect of once, by its method or by its idempotency key. `retries`: how many there have been.
 */
export function retryDelayMs(
  failure: Failure,
  { repeatable, retries, random }: { repeatable: boolean; retries: number; random: () => number },
): number | undefined {
  if (!mayRepeat(failure, repeatable)) return undefined;
  const retryAfterSecs = failure.kind === 'response' ? failure.retryAfterSecs : undefined;
  if (retryAfterSecs === undefined) return backoffMs(retries, random);
  return retryAfterSecs <= RETRY_AFTER_SECS_MAX ? retryAfterSecs * 1000 : undefined;
}

function mayRepeat(failure: Failure, repeatable: boolean): boolean {
  if (failure.kind === 'no response') return repeatable || !failure.sent;
  const { status, retryAfterSecs } = failure;
  if (repeatable) return REPEATABLE_STATUSES.has(status);
  return status === 429 || (status === 503 && retryAfterSecs !== undefined);
}

/** 0.5 s, 1 s, 2 s … 8 s, with jitter. */
export function backoffMs(retries: number, random: () => number = Math.random): number {
  const delayMs = Math.min(FIRST_DELAY_MS * 2 ** retries, DELAY_MS_MAX);
  return delayMs * (1 + JITTER * (2 * random() - 1));
}

/** The seconds in a `Retry-After`, which may be a date (RFC 9110); undefined for anything else. */
export function retryAfterSecsOf(value: string | null, now: number = Date.now()): number | undefined {
  if (value === null) return undefined;
  const text = value.trim();
  if (/^\d+(\.\d+)?(e\d+)?$/i.test(text)) return Number(text);
  const at = /^[A-Za-z]{3}/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000));
}
