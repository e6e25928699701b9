import { LRUCache } from 'lru-cache';
import { answersWithin, deliveriesMax, mayOpen, type OriginLoad } from './receiver-admission.ts';
import { assumedLatency, type LatencyEstimate, latencyAfter, SLOW_MS } from './receiver-latency.ts';

/** The right of one attempt to make its request. */
export interface RequestPermit {
  /** Aborted when the subscription is deleted or the process stops; the reason is one of these. */
  readonly signal: AbortSignal;
  /** Waits until the request may be made; false when it was aborted or took too long. */
  acquire(): Promise<boolean>;
  /** The request has ended, or is not made after all. */
  release(): void;
}

export type AbortReason = 'deleted' | 'stopping';

interface DeliveryTarget {
  readonly id: string;
  readonly companyId: string;
  readonly url: string;
}

/**
 * Limits the open requests by receiver, by company and in all, so that hanging receivers, however many, do not delay
 * others. A receiver is an origin, whichever subscriptions name it. How quickly it answers is known for each company
 * apart: at a service that many of them use, it may hang for one and be quick for another. Those for which it is quick
 * share its requests and are served in turn.
 * What a receiver answers within seconds waits here, claimed by this process; all else waits in the database.
 */
export interface Receivers {
  permit(subscription: DeliveryTarget): RequestPermit;
  /** The same for a new event; undefined when others wait in the database already. */
  permitForNew(subscription: DeliveryTarget): RequestPermit | undefined;
  /** The number of further deliveries of a subscription that may be claimed, as far as its receiver is known. */
  capacity(subscriptionId: string): number;
  /** Subscriptions whose receiver has enough deliveries waiting. */
  saturated(): string[];
  /** From now on no attempt waits for its request: those that wait do not make it. */
  drain(): void;
  /** Aborts requests in progress for a subscription, or for all of them; resolves when they have ended. */
  abort(reason: AbortReason, subscriptionId?: string): Promise<void>;
  /** The number of receivers with deliveries in this process. */
  count(): number;
  /** Calls the listener when there is capacity for deliveries that could not be claimed. */
  onCapacity(listener: () => void): void;
}

export interface ReceiverLimits {
  readonly requestsMax: number;
  readonly requestsPerReceiverMax: number;
  /** The longest wait for a permit; well below the lease of a delivery. */
  readonly waitMsMax: number;
  /** The idle time of this process since its start; replaced in tests. */
  readonly idleMs?: () => number;
}

interface Receiver {
  readonly origin: string;
  /** Keyed by company; only companies with permits have a queue. */
  readonly queues: Map<string, Queue>;
  /** Those in which deliveries wait, in the order in which they are served. */
  readonly waiting: Set<Queue>;
}

/** The deliveries of one company to one receiver. */
interface Queue {
  readonly companyId: string;
  readonly receiver: Receiver;
  /** The receiver's response time for this company. */
  latency: LatencyEstimate;
  /** The requests that are open, the oldest first, in milliseconds of `performance.now()`. */
  readonly open: Set<{ readonly since: number }>;
  /** Permits that were requested and not released, with or without an open request. */
  permits: number;
  /** A delivery was left in the database since the queue was last empty. */
  overflowed: boolean;
  readonly subscriptions: Set<string>;
  /** Each grants a permit. */
  readonly waiting: (() => void)[];
}

/** The state of an attempt with a permit. */
type PermitState =
  | { readonly kind: 'unused' }
  /** It waits for its request; `leave` ends the wait. */
  | { readonly kind: 'waiting'; readonly leave: () => void }
  /** Its request is open; `close` counts it as ended. */
  | { readonly kind: 'open'; readonly close: () => void }
  | { readonly kind: 'released' };

/** Parts that most permits never need are created on demand, because thousands of them wait at once. */
interface InProgress {
  readonly subscriptionId: string;
  state: PermitState;
  aborted: AbortReason | undefined;
  controller: AbortController | undefined;
  /** Resolved when the permit is released. */
  ended: PromiseWithResolvers<void> | undefined;
}

/**
 * The number of deliveries that wait here for a receiver is as many as it is expected to answer in this time. More are claimed when
 * there are fewer than `low`, up to `filled`; new events may come until there are `max`. None waits here for a slow receiver.
 */
const WAITING_MS = { low: 100, filled: 400, max: 3_000 };
/** Deliveries to all receivers in this process; new events beyond it wait in the database. */
const PERMITS_MAX = 5_000;

const LATENCIES_MAX = 10_000;

const processIdleMs = () => performance.eventLoopUtilization().idle;

export function openReceivers(limits: ReceiverLimits): Receivers {
  const { waitMsMax, idleMs = processIdleMs } = limits;
  const receivers = new Map<string, Receiver>();
  const withWaiting = new Set<Receiver>();
  const queueBySubscription = new Map<string, Queue>();
  const latencies = new LRUCache<string, LatencyEstimate>({ max: LATENCIES_MAX });
  const inProgress = new Set<InProgress>();
  const requests = countByCompany();
  const slowRequests = countByCompany();
  const listeners: (() => void)[] = [];
  /** A delivery could not be claimed because of the limits. */
  let hasDeferred = false;
  let draining = false;

  function receiverAt(origin: string): Receiver {
    const known = receivers.get(origin);
    if (known) return known;
    const receiver: Receiver = { origin, queues: new Map(), waiting: new Set() };
    receivers.set(origin, receiver);
    return receiver;
  }

  function queueOf({ id, companyId, url }: DeliveryTarget): Queue {
    const receiver = receiverAt(new URL(url).origin);
    let queue = receiver.queues.get(companyId);
    if (!queue) {
      const latency = latencies.get(latencyKey(companyId, receiver.origin)) ?? assumedLatency;
      const empty = { permits: 0, overflowed: false, open: new Set<never>(), subscriptions: new Set<string>() };
      queue = { companyId, receiver, latency, ...empty, waiting: [] };
      receiver.queues.set(companyId, queue);
    }
    queue.subscriptions.add(id);
    queueBySubscription.set(id, queue);
    return queue;
  }

  function isSlow({ latency, open }: Queue): boolean {
    if (latency.slow) return true;
    const [oldest] = open;
    return oldest !== undefined && performance.now() - oldest.since >= SLOW_MS;
  }

  function loadOf({ queues }: Receiver): OriginLoad {
    const load = { quickCompanies: 0, quickOpen: 0, slowOpen: 0 };
    for (const queue of queues.values()) {
      if (isSlow(queue)) load.slowOpen += queue.open.size;
      else {
        load.quickCompanies += 1;
        load.quickOpen += queue.open.size;
      }
    }
    return load;
  }

  /** The number of further deliveries that a queue may have; the companies of a receiver share its capacity. */
  function capacityOf(queue: Queue, waitMs: number, answerMs: number, load = loadOf(queue.receiver)): number {
    const of = { isSlow: isSlow(queue), quickCompanies: load.quickCompanies };
    return deliveriesMax(of, waitMs, answerMs, limits) - queue.permits;
  }

  const isCrowded = (queue: Queue, load?: OriginLoad) =>
    capacityOf(queue, WAITING_MS.low, queue.latency.answerMs, load) <= 0;

  function mayRequest(queue: Queue, load = loadOf(queue.receiver)): boolean {
    const { companyId, open } = queue;
    const company = {
      isSlow: isSlow(queue),
      openHere: open.size,
      open: requests.of(companyId),
      slowOpen: slowRequests.of(companyId),
    };
    const total = { open: requests.all(), slowOpen: slowRequests.all() };
    return mayOpen(company, load, total, limits);
  }

  /** Counts a request as open; returns what counts it as ended. */
  function openRequest(queue: Queue): () => void {
    const { companyId } = queue;
    const request = { since: performance.now() };
    const idleBeforeMs = idleMs();
    const slow = isSlow(queue);
    queue.open.add(request);
    requests.add(companyId, 1);
    if (slow) slowRequests.add(companyId, 1);
    return () => {
      queue.open.delete(request);
      requests.add(companyId, -1);
      if (slow) slowRequests.add(companyId, -1);
      const tookMs = performance.now() - request.since;
      queue.latency = latencyAfter(queue.latency, tookMs, idleMs() - idleBeforeMs);
    };
  }

  /** Resolves when the request may be made; false when the wait took too long or was ended. */
  function waitForRequest(queue: Queue, one: InProgress): Promise<boolean> {
    const { receiver, waiting } = queue;
    return new Promise((resolve) => {
      const end = (state: PermitState) => {
        clearTimeout(timer);
        one.state = state;
        resolve(state.kind === 'open');
      };
      const leave = () => {
        waiting.splice(waiting.indexOf(grant), 1);
        if (waiting.length === 0) receiver.waiting.delete(queue);
        if (receiver.waiting.size === 0) withWaiting.delete(receiver);
        end({ kind: 'unused' });
      };
      const timer = setTimeout(() => {
        queue.overflowed = true;
        leave();
      }, waitMsMax);
      const grant = () => end({ kind: 'open', close: openRequest(queue) });
      one.state = { kind: 'waiting', leave };
      waiting.push(grant);
      receiver.waiting.add(queue);
      withWaiting.add(receiver);
    });
  }

  function grantWaiting(): void {
    for (const receiver of withWaiting) {
      const isServed = serveInTurn(receiver);
      if (receiver.waiting.size === 0) withWaiting.delete(receiver);
      else if (isServed) moveToEnd(withWaiting, receiver);
    }
  }

  /** Grants permits to the companies of a receiver in turn; false when none was granted. */
  function serveInTurn(receiver: Receiver): boolean {
    let isServed = false;
    let load = loadOf(receiver);
    for (const queue of receiver.waiting) {
      if (!mayRequest(queue, load)) continue;
      queue.waiting.shift()!();
      isServed = true;
      load = loadOf(receiver);
      // At the end the loop finds it again, after the others.
      if (queue.waiting.length > 0) moveToEnd(receiver.waiting, queue);
      else receiver.waiting.delete(queue);
    }
    return isServed;
  }

  function released(queue: Queue): void {
    if (queue.permits === 0) remove(queue);
    grantWaiting();
    if (!hasDeferred || isCrowded(queue)) return;
    hasDeferred = false;
    listeners.forEach((listener) => listener());
  }

  /** Forgets a queue without permits; its latency is remembered. */
  function remove(queue: Queue): void {
    const { receiver, companyId, latency, subscriptions } = queue;
    if (latency !== assumedLatency) latencies.set(latencyKey(companyId, receiver.origin), latency);
    receiver.queues.delete(companyId);
    if (receiver.queues.size === 0) receivers.delete(receiver.origin);
    for (const id of subscriptions) if (queueBySubscription.get(id) === queue) queueBySubscription.delete(id);
  }

  function permit(subscriptionId: string, queue: Queue): RequestPermit {
    const one: InProgress = {
      subscriptionId,
      state: { kind: 'unused' },
      aborted: undefined,
      controller: undefined,
      ended: undefined,
    };
    inProgress.add(one);
    queue.permits += 1;
    return {
      get signal() {
        one.controller ??= new AbortController();
        if (one.aborted) one.controller.abort(one.aborted);
        return one.controller.signal;
      },
      async acquire() {
        if (one.aborted) return false;
        if (queue.waiting.length > 0 || !mayRequest(queue)) return !draining && waitForRequest(queue, one);
        one.state = { kind: 'open', close: openRequest(queue) };
        return true;
      },
      release() {
        const { state } = one;
        if (state.kind === 'released') return;
        one.state = { kind: 'released' };
        inProgress.delete(one);
        queue.permits -= 1;
        if (state.kind === 'open') state.close();
        one.ended?.resolve();
        released(queue);
      },
    };
  }

  return {
    permit: (subscription) => permit(subscription.id, queueOf(subscription)),
    permitForNew(subscription) {
      const queue = queueOf(subscription);
      // A burst of events keeps this process busy for a moment; then it sends as fast as the receiver answers.
      const hasCapacity =
        capacityOf(queue, WAITING_MS.max, queue.latency.receiverMs) > 0 && inProgress.size < PERMITS_MAX;
      if (hasCapacity && !queue.overflowed) return permit(subscription.id, queue);
      if (queue.permits === 0) remove(queue);
      else queue.overflowed = true;
      hasDeferred = true;
      return undefined;
    },
    capacity(subscriptionId) {
      const queue = queueBySubscription.get(subscriptionId);
      return queue
        ? capacityOf(queue, WAITING_MS.filled, queue.latency.answerMs)
        : answersWithin(WAITING_MS.filled, assumedLatency.answerMs, limits);
    },
    saturated() {
      const saturated = [...receivers.values()].flatMap((receiver) => {
        const load = loadOf(receiver);
        return [...receiver.queues.values()].filter((queue) => isCrowded(queue, load));
      });
      if (saturated.length > 0) hasDeferred = true;
      return saturated.flatMap(({ subscriptions }) => [...subscriptions]);
    },
    drain() {
      draining = true;
      for (const { state } of inProgress) if (state.kind === 'waiting') state.leave();
    },
    async abort(reason, subscriptionId) {
      const ending = [...inProgress].filter(
        (one) => subscriptionId === undefined || one.subscriptionId === subscriptionId,
      );
      const ended = ending.map((one) => {
        one.aborted ??= reason;
        one.controller?.abort(one.aborted);
        if (one.state.kind === 'waiting') one.state.leave();
        return (one.ended ??= Promise.withResolvers<void>()).promise;
      });
      await Promise.all(ended);
    },
    count: () => receivers.size,
    onCapacity: (listener) => void listeners.push(listener),
  };
}

function latencyKey(companyId: string, origin: string): string {
  return `${companyId} ${origin}`;
}

function moveToEnd<Item>(items: Set<Item>, item: Item): void {
  items.delete(item);
  items.add(item);
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
