/** The limits of open requests. The decisions use counts and estimates alone. */
export interface AdmissionLimits {
  readonly requestsMax: number;
  readonly requestsPerReceiverMax: number;
}

/** Open and waiting requests of one origin. A company that is slow there is counted apart from those that are not. */
export interface OriginLoad {
  /** Companies with deliveries that are not slow. */
  readonly quickCompanies: number;
  /** Open requests of companies that are not slow, and of those that are. */
  readonly quickOpen: number;
  readonly slowOpen: number;
}

/** Open requests of one company: at this origin, in total, and in total at receivers that are slow for it. */
export interface CompanyLoad {
  readonly isSlow: boolean;
  readonly openHere: number;
  readonly open: number;
  readonly slowOpen: number;
}

/** Open requests of all companies. */
export interface TotalLoad {
  readonly open: number;
  readonly slowOpen: number;
}

/** A company for which a receiver is slow has few requests there at once. */
const SLOW_REQUESTS = 2;
/** The share of requests to slow receivers among all requests: of one company, and of all companies together. */
const SLOW_SHARE_OF_COMPANY = 0.1;
const SLOW_SHARE = 0.5;

/** The open requests of one company at an origin: its share of the origin's total, which the companies that are not slow divide. */
function requestsAtOnce(isSlow: boolean, quickCompanies: number, { requestsPerReceiverMax }: AdmissionLimits) {
  return isSlow
    ? Math.min(SLOW_REQUESTS, requestsPerReceiverMax)
    : Math.ceil(requestsPerReceiverMax / Math.max(1, quickCompanies));
}

/**
 * Decides whether a company may open one more request. Its first one at an origin never waits for others there, and its first one
 * at all never waits: so nobody is stopped by others, however many of them hang. Beyond the first, it may have as many in all as
 * are free for others, so that each newcomer finds half of what is left.
 */
export function mayOpen(company: CompanyLoad, origin: OriginLoad, total: TotalLoad, limits: AdmissionLimits): boolean {
  const { requestsMax, requestsPerReceiverMax } = limits;
  if (company.openHere >= requestsAtOnce(company.isSlow, origin.quickCompanies, limits)) return false;
  const openThere = company.isSlow ? origin.slowOpen : origin.quickOpen;
  if (company.openHere > 0 && openThere >= requestsPerReceiverMax) return false;
  if (company.open === 0) return true;
  if (company.open >= requestsMax - total.open) return false;
  return (
    !company.isSlow ||
    (company.slowOpen < Math.max(1, requestsMax * SLOW_SHARE_OF_COMPANY) &&
      total.slowOpen < Math.max(1, requestsMax * SLOW_SHARE))
  );
}

/** The deliveries of a company that may be in this process: the open ones, and those that the receiver responds to in this time. */
export function deliveriesMax(
  { isSlow, quickCompanies }: { isSlow: boolean; quickCompanies: number },
  waitMs: number,
  answerMs: number,
  limits: AdmissionLimits,
): number {
  if (isSlow) return requestsAtOnce(isSlow, quickCompanies, limits);
  const all = limits.requestsPerReceiverMax + answersWithin(waitMs, answerMs, limits);
  return Math.ceil(all / Math.max(1, quickCompanies));
}

export function answersWithin(waitMs: number, answerMs: number, { requestsPerReceiverMax }: AdmissionLimits): number {
  return Math.ceil((requestsPerReceiverMax * waitMs) / answerMs);
}

/** The response time of a receiver; it is kept while nothing is sent to it. */
export interface LatencyEstimate {
  /** The average time of a request. */
  readonly answerMs: number;
  /** The same without the time in which this process was too busy to read the answer. */
  readonly receiverMs: number;
  readonly slow: boolean;
}

/** A receiver that takes this long gets few requests at once; until it is quick again. */
export const SLOW_MS = 2_000;
const QUICK_MS = 1_000;

const ANSWER_MS_MIN = 1;
/** The largest part of a request's time that is this process's own. */
const OWN_MS_MAX = 50;
/** The weight of the latest request in the averages. */
const WEIGHT = 0.1;

/** The estimate for a receiver without any attempt yet. */
export const assumedLatency: LatencyEstimate = { answerMs: 50, receiverMs: 50, slow: false };

/** The latency after one more request; `idleMs` is how much of its time this process had nothing to do. */
export function latencyAfter(latency: LatencyEstimate, tookMs: number, idleMs: number): LatencyEstimate {
  const ownMs = Math.min(tookMs - idleMs, OWN_MS_MAX);
  return {
    answerMs: average(latency.answerMs, tookMs),
    receiverMs: average(latency.receiverMs, tookMs - ownMs),
    slow: tookMs >= SLOW_MS || (latency.slow && tookMs >= QUICK_MS),
  };
}

function average(beforeMs: number, latestMs: number): number {
  return beforeMs + (Math.max(latestMs, ANSWER_MS_MIN) - beforeMs) * WEIGHT;
}
