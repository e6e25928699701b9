import { LRUCache } from 'lru-cache';

/** What receives deliveries: a receiver is an origin, whichever subscriptions name it. */
export interface DeliveryTarget {
  readonly id: string;
  readonly companyId: string;
  readonly url: string;
}

/** The deliveries of one company to one receiver. */
export interface Queue {
  readonly key: string;
  readonly origin: string;
  readonly companyId: string;
  readonly subscriptions: Set<string>;
  /** The receiver's response time for this company. */
  latency: LatencyEstimate;
  /** The requests that are open, the oldest first, in milliseconds of `performance.now()`. */
  readonly open: Set<{ readonly since: number }>;
  /** Permits that were requested and not released, with or without an open request. */
  permits: number;
  /** A delivery was left in the database since the queue was last empty. */
  overflowed: boolean;
}

export type ReceiverLoad = ReturnType<typeof openReceiverLoad>;

/**
 * The number of deliveries that wait here for a receiver is as many as it is expected to answer in this time. More are claimed when
 * there are fewer than `low`, up to `filled`; new events may come until there are `max`. None waits here for a slow receiver.
 */
const WAITING_MS = { low: 100, filled: 400, max: 3_000 };
const LATENCIES_MAX = 10_000;

/**
 * Counts deliveries and open requests by receiver and company, and decides by the counts. `idleMs`: the idle time of this process since
 * its start.
 */
export function openReceiverLoad(limits: AdmissionLimits, idleMs: () => number) {
  const queues = openQueues();

  /** The number of further deliveries that a queue may have; the companies of a receiver share its capacity. */
  function capacityOf(queue: Queue, waitMs: number, answerMs: number, load = loadOf(queues.at(queue.origin))): number {
    const of = { isSlow: isSlow(queue), quickCompanies: load.quickCompanies };
    return deliveriesMax(of, waitMs, answerMs, limits) - queue.permits;
  }

  /** Enough deliveries wait for it here. */
  const isCrowded = (queue: Queue, load?: OriginLoad) =>
    capacityOf(queue, WAITING_MS.low, queue.latency.answerMs, load) <= 0;

  return {
    queueOf: queues.of,
    remove: queues.remove,
    ...openRequests(queues, limits, idleMs),
    /** A burst of events keeps this process busy for a moment; then it sends as fast as the receiver answers. */
    takesNew: (queue: Queue) => !queue.overflowed && capacityOf(queue, WAITING_MS.max, queue.latency.receiverMs) > 0,
    isCrowded: (queue: Queue) => isCrowded(queue),
    crowded: (): Queue[] =>
      queues.origins().flatMap((origin) => {
        const load = loadOf(queues.at(origin));
        return queues.at(origin).filter((queue) => isCrowded(queue, load));
      }),
    /** The number of further deliveries of a subscription that may be claimed, as far as its receiver is known. */
    capacity(subscriptionId: string): number {
      const queue = queues.ofSubscription(subscriptionId);
      return queue
        ? capacityOf(queue, WAITING_MS.filled, queue.latency.answerMs)
        : answersWithin(WAITING_MS.filled, assumedLatency.answerMs, limits);
    },
    /** The number of receivers with deliveries in this process. */
    count: () => queues.origins().length,
  };
}

type Queues = ReturnType<typeof openQueues>;

function openQueues() {
  /** Keyed by origin and company; only companies with permits have a queue. */
  const origins = new Map<string, Map<string, Queue>>();
  const bySubscription = new Map<string, Queue>();
  const latencies = new LRUCache<string, LatencyEstimate>({ max: LATENCIES_MAX });
  return {
    of({ id, companyId, url }: DeliveryTarget): Queue {
      const { origin } = new URL(url);
      const queues = origins.get(origin) ?? new Map<string, Queue>();
      origins.set(origin, queues);
      const queue = queues.get(companyId) ?? newQueue(companyId, origin, latencies);
      queues.set(companyId, queue);
      queue.subscriptions.add(id);
      bySubscription.set(id, queue);
      return queue;
    },
    ofSubscription: (id: string) => bySubscription.get(id),
    origins: () => [...origins.keys()],
    at: (origin: string): Queue[] => [...(origins.get(origin)?.values() ?? [])],
    /** Forgets a queue without permits; its latency is remembered. */
    remove(queue: Queue): void {
      const { key, origin, companyId, latency, subscriptions } = queue;
      if (latency !== assumedLatency) latencies.set(key, latency);
      origins.get(origin)?.delete(companyId);
      if (origins.get(origin)?.size === 0) origins.delete(origin);
      for (const id of subscriptions) if (bySubscription.get(id) === queue) bySubscription.delete(id);
    },
  };
}

function openRequests(queues: Queues, limits: AdmissionLimits, idleMs: () => number) {
  const requests = countByCompany();
  const slowRequests = countByCompany();
  return {
    /** Decides whether queues may open a request, as long as none is opened or ends. */
    admission(): (queue: Queue) => boolean {
      const loads = new Map<string, OriginLoad>();
      const total = { open: requests.all(), slowOpen: slowRequests.all() };
      return (queue) => {
        const { companyId, origin, open } = queue;
        const load = loads.get(origin) ?? loadOf(queues.at(origin));
        loads.set(origin, load);
        const ofCompany = { open: requests.of(companyId), slowOpen: slowRequests.of(companyId) };
        return mayOpen({ isSlow: isSlow(queue), openHere: open.size, ...ofCompany }, load, total, limits);
      };
    },
    /** Counts a request as open; returns what counts it as ended. */
    openRequest(queue: Queue): () => void {
      const { companyId } = queue;
      const request = { since: performance.now() };
      const idleBeforeMs = idleMs();
      const counts = isSlow(queue) ? [requests, slowRequests] : [requests];
      queue.open.add(request);
      for (const count of counts) count.add(companyId, 1);
      return () => {
        queue.open.delete(request);
        for (const count of counts) count.add(companyId, -1);
        const tookMs = performance.now() - request.since;
        queue.latency = latencyAfter(queue.latency, tookMs, idleMs() - idleBeforeMs);
      };
    },
  };
}

function loadOf(queues: readonly Queue[]): OriginLoad {
  const load = { quickCompanies: 0, quickOpen: 0, slowOpen: 0 };
  for (const queue of queues) {
    if (isSlow(queue)) load.slowOpen += queue.open.size;
    else {
      load.quickCompanies += 1;
      load.quickOpen += queue.open.size;
    }
  }
  return load;
}

function newQueue(companyId: string, origin: string, latencies: LRUCache<string, LatencyEstimate>): Queue {
  const key = `${companyId} ${origin}`;
  const latency = latencies.get(key) ?? assumedLatency;
  return { key, origin, companyId, subscriptions: new Set(), latency, open: new Set(), permits: 0, overflowed: false };
}

function isSlow({ latency, open }: Queue): boolean {
  if (latency.slow) return true;
  const [oldest] = open;
  return oldest !== undefined && performance.now() - oldest.since >= SLOW_MS;
}

function countByCompany() {
  const counts = new Map<string, number>();
  let all = 0;
  return {
    of: (companyId: string) => counts.get(companyId) ?? 0,
    all: () => all,
    add(companyId: string, change: 1 | -1) {
      all += change;
      const count = (counts.get(companyId) ?? 0) + change;
      if (count > 0) counts.set(companyId, count);
      else counts.delete(companyId);
    },
  };
}

/** The limits of open requests. The decisions use counts and estimates alone. */
export interface AdmissionLimits {
  readonly requestsMax: number;
  readonly requestsPerReceiverMax: number;
}

/** Open and waiting requests of one origin. A company that is slow there is counted apart from those that are not. */
interface OriginLoad {
  /** Companies with deliveries that are not slow. */
  readonly quickCompanies: number;
  /** Open requests of companies that are not slow, and of those that are. */
  readonly quickOpen: number;
  readonly slowOpen: number;
}

/** Open requests of one company: at this origin, in total, and in total at receivers that are slow for it. */
interface CompanyLoad {
  readonly isSlow: boolean;
  readonly openHere: number;
  readonly open: number;
  readonly slowOpen: number;
}

/** Open requests of all companies. */
interface TotalLoad {
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
function mayOpen(company: CompanyLoad, origin: OriginLoad, total: TotalLoad, limits: AdmissionLimits): boolean {
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
function deliveriesMax(
  { isSlow, quickCompanies }: { isSlow: boolean; quickCompanies: number },
  waitMs: number,
  answerMs: number,
  limits: AdmissionLimits,
): number {
  if (isSlow) return requestsAtOnce(isSlow, quickCompanies, limits);
  const all = limits.requestsPerReceiverMax + answersWithin(waitMs, answerMs, limits);
  return Math.ceil(all / Math.max(1, quickCompanies));
}

function answersWithin(waitMs: number, answerMs: number, { requestsPerReceiverMax }: AdmissionLimits): number {
  return Math.ceil((requestsPerReceiverMax * waitMs) / answerMs);
}

/** The response time of a receiver; it is kept while nothing is sent to it. */
interface LatencyEstimate {
  /** The average time of a request. */
  readonly answerMs: number;
  /** The same without the time in which this process was too busy to read the answer. */
  readonly receiverMs: number;
  readonly slow: boolean;
}

/** A receiver that takes this long gets few requests at once; until it is quick again. */
const SLOW_MS = 2_000;
const QUICK_MS = 1_000;

const ANSWER_MS_MIN = 1;
/** The largest part of a request's time that is this process's own. */
const OWN_MS_MAX = 50;
/** The weight of the latest request in the averages. */
const WEIGHT = 0.1;

/** The estimate for a receiver without any attempt yet. */
const assumedLatency: LatencyEstimate = { answerMs: 50, receiverMs: 50, slow: false };

/** The latency after one more request; `idleMs` is how much of its time this process had nothing to do. */
function latencyAfter(latency: LatencyEstimate, tookMs: number, idleMs: number): LatencyEstimate {
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
