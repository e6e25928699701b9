/** How an endpoint has answered a company lately. */
export interface EndpointHealth {
  readonly id: string;
  readonly companyId: string;
  /** The latest failures, oldest first; no more than are counted. */
  readonly failedAt: readonly Date[];
  /** Until when nothing is sent to it; null when it may be used. */
  readonly leftAloneUntil: Date | null;
  /** Why the last request failed; null when it did not. */
  readonly lastError: string | null;
}

/** So many failures within a minute, and it is left alone for a minute. */
const FAILURES_MAX = 5;
const WITHIN_MS = 60_000;
const LEFT_ALONE_MS = 60_000;
const ERROR_LENGTH_MAX = 64;

export function afterFailure(
  identity: Pick<EndpointHealth, 'id' | 'companyId'>,
  current: EndpointHealth | undefined,
  error: string,
  now: Date,
): EndpointHealth {
  const recent = (current?.failedAt ?? []).filter((at) => Math.abs(now.getTime() - at.getTime()) < WITHIN_MS);
  const failedAt = [...recent, now].slice(-FAILURES_MAX);
  const lastError = error.slice(0, ERROR_LENGTH_MAX);
  if (failedAt.length < FAILURES_MAX)
    return { ...identity, failedAt, leftAloneUntil: current?.leftAloneUntil ?? null, lastError };
  return { ...identity, failedAt: [], leftAloneUntil: new Date(now.getTime() + LEFT_ALONE_MS), lastError };
}

/** Failures of before still count: an endpoint that answers now and then is left alone, too. */
export function afterSuccess(current: EndpointHealth): EndpointHealth {
  return { ...current, lastError: null };
}

/** A clock that was moved back does not keep it out for longer. */
export function isLeftAlone(health: EndpointHealth | undefined, now: Date): boolean {
  const leftMs = health?.leftAloneUntil ? health.leftAloneUntil.getTime() - now.getTime() : 0;
  return leftMs > 0 && leftMs <= LEFT_ALONE_MS;
}
