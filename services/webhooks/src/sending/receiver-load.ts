import { LRUCache } from 'lru-cache';
import {
  type AdmissionLimits,
  answersWithin,
  assumedLatency,
  deliveriesMax,
  type LatencyEstimate,
  latencyAfter,
  mayOpen,
  type OriginLoad,
  SLOW_MS,
} from './receiver-admission.ts';

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
  /** Keyed by origin and company; only companies with permits have a queue. */
  const origins = new Map<string, Map<string, Queue>>();
  const bySubscription = new Map<string, Queue>();
  const latencies = new LRUCache<string, LatencyEstimate>({ max: LATENCIES_MAX });
  const requests = countByCompany();
  const slowRequests = countByCompany();

  const queuesAt = (origin: string) => [...(origins.get(origin)?.values() ?? [])];

  function loadOf(origin: string): OriginLoad {
    const load = { quickCompanies: 0, quickOpen: 0, slowOpen: 0 };
    for (const queue of queuesAt(origin)) {
      if (isSlow(queue)) load.slowOpen += queue.open.size;
      else {
        load.quickCompanies += 1;
        load.quickOpen += queue.open.size;
      }
    }
    return load;
  }

  /** The number of further deliveries that a queue may have; the companies of a receiver share its capacity. */
  function capacityOf(queue: Queue, waitMs: number, answerMs: number, load = loadOf(queue.origin)): number {
    const of = { isSlow: isSlow(queue), quickCompanies: load.quickCompanies };
    return deliveriesMax(of, waitMs, answerMs, limits) - queue.permits;
  }

  /** Enough deliveries wait for it here. */
  const isCrowded = (queue: Queue, load?: OriginLoad) =>
    capacityOf(queue, WAITING_MS.low, queue.latency.answerMs, load) <= 0;

  return {
    queueOf({ id, companyId, url }: DeliveryTarget): Queue {
      const { origin } = new URL(url);
      const queues = origins.get(origin) ?? new Map<string, Queue>();
      origins.set(origin, queues);
      const queue = queues.get(companyId) ?? newQueue(companyId, origin, latencies);
      queues.set(companyId, queue);
      queue.subscriptions.add(id);
      bySubscription.set(id, queue);
      return queue;
    },
    /** Forgets a queue without permits; its latency is remembered. */
    remove(queue: Queue): void {
      const { key, origin, companyId, latency, subscriptions } = queue;
      if (latency !== assumedLatency) latencies.set(key, latency);
      origins.get(origin)?.delete(companyId);
      if (origins.get(origin)?.size === 0) origins.delete(origin);
      for (const id of subscriptions) if (bySubscription.get(id) === queue) bySubscription.delete(id);
    },
    /** Decides whether queues may open a request, as long as none is opened or ends. */
    admission(): (queue: Queue) => boolean {
      const loads = new Map<string, OriginLoad>();
      const total = { open: requests.all(), slowOpen: slowRequests.all() };
      return (queue) => {
        const { companyId, origin, open } = queue;
        const load = loads.get(origin) ?? loadOf(origin);
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
    /** A burst of events keeps this process busy for a moment; then it sends as fast as the receiver answers. */
    takesNew: (queue: Queue) => !queue.overflowed && capacityOf(queue, WAITING_MS.max, queue.latency.receiverMs) > 0,
    isCrowded: (queue: Queue) => isCrowded(queue),
    crowded: (): Queue[] =>
      [...origins.keys()].flatMap((origin) => {
        const load = loadOf(origin);
        return queuesAt(origin).filter((queue) => isCrowded(queue, load));
      }),
    /** The number of further deliveries of a subscription that may be claimed, as far as its receiver is known. */
    capacity(subscriptionId: string): number {
      const queue = bySubscription.get(subscriptionId);
      return queue
        ? capacityOf(queue, WAITING_MS.filled, queue.latency.answerMs)
        : answersWithin(WAITING_MS.filled, assumedLatency.answerMs, limits);
    },
    /** The number of receivers with deliveries in this process. */
    count: () => origins.size,
  };
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
