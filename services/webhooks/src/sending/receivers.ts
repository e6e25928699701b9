import { LRUCache } from 'lru-cache';
import { assumedPace, type Pace, paceAfter, SLOW_MS } from './receiver-pace.ts';

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

interface Addressed {
  readonly id: string;
  readonly companyId: string;
  readonly url: string;
}

/**
 * Limits the open requests by receiver, by company and in all, so that hanging receivers, however many, do not delay
 * others. A receiver is an origin, whichever subscriptions name it; the companies that share one are served in turn.
 * What a receiver answers within seconds waits here, claimed by this process; all else waits in the database.
 */
export interface Receivers {
  permit(subscription: Addressed): RequestPermit;
  /** The same for a new event; undefined when others wait in the database already. */
  permitForNew(subscription: Addressed): RequestPermit | undefined;
  /** How many more deliveries of a subscription may be claimed, as far as its receiver is known. */
  room(subscriptionId: string): number;
  /** Subscriptions whose receiver has enough deliveries waiting. */
  saturated(): string[];
  /** From now on no attempt waits for its request: those that wait do not make it. */
  drain(): void;
  /** Aborts requests in progress for a subscription, or for all of them; resolves when they have ended. */
  abort(reason: AbortReason, subscriptionId?: string): Promise<void>;
  /** Calls the listener when there is capacity for deliveries that could not be claimed. */
  onCapacity(listener: () => void): void;
}

export interface ReceiverLimits {
  readonly requestsMax: number;
  readonly requestsPerReceiverMax: number;
  /** How long a permit is waited for; well below what a claim on a delivery lasts. */
  readonly waitMsMax: number;
  /** How long this process had nothing to do since its start; for tests. */
  readonly idleMs?: () => number;
}

interface Receiver {
  readonly origin: string;
  pace: Pace;
  /** Start times of open requests, oldest first, in milliseconds of `performance.now()`. */
  readonly open: Set<{ readonly since: number }>;
  /** Permits that were requested and not released, with or without an open request. */
  permits: number;
  readonly queues: Map<string, Queue>;
  /** Of the queues, how many have permits. */
  busyQueues: number;
  /** Those in which deliveries wait, in the order in which they are served. */
  readonly waiting: Set<Queue>;
}

/** The deliveries of one company to one receiver. */
interface Queue {
  readonly companyId: string;
  readonly receiver: Receiver;
  permits: number;
  /** A delivery was left in the database since the queue was last empty. */
  overflowed: boolean;
  readonly subscriptions: Set<string>;
  /** Each grants a permit. */
  readonly waiting: (() => void)[];
}

/** What most permits never need is made when it is first asked for: thousands of them wait at once. */
interface InProgress {
  readonly subscriptionId: string;
  aborted: AbortReason | undefined;
  controller: AbortController | undefined;
  /** Resolved when the permit is released. */
  ended: PromiseWithResolvers<void> | undefined;
  /** Ends the wait for a request. */
  stopWaiting: (() => void) | undefined;
}

/**
 * How many deliveries wait here for a receiver: as many as it is expected to answer in this time. More are claimed when
 * there are fewer than `low`, up to `filled`; new events may come until there are `max`. Of a slow receiver none waits here.
 */
const WAITING_MS = { low: 100, filled: 400, max: 3_000 };
/** Deliveries to all receivers in this process; new events beyond it wait in the database. */
const PERMITS_MAX = 5_000;

const PACES_MAX = 10_000;

/** A slow receiver gets few requests at once. */
const SLOW_REQUESTS = 2;
/** What requests to slow receivers may take of all requests: those of one company, and of all companies together. */
const SLOW_SHARE_OF_COMPANY = 0.1;
const SLOW_SHARE = 0.5;

const processIdleMs = () => performance.eventLoopUtilization().idle;

export function openReceivers(limits: ReceiverLimits): Receivers {
  const { requestsMax, requestsPerReceiverMax, waitMsMax, idleMs = processIdleMs } = limits;
  const receivers = new Map<string, Receiver>();
  const withWaiting = new Set<Receiver>();
  const queueBySubscription = new Map<string, Queue>();
  const paces = new LRUCache<string, Pace>({ max: PACES_MAX });
  const inProgress = new Set<InProgress>();
  const requests = countByCompany();
  const slowRequests = countByCompany();
  const listeners: (() => void)[] = [];
  /** A delivery could not be claimed because of the limits. */
  let wanted = false;
  let draining = false;

  function receiverAt(origin: string): Receiver {
    const known = receivers.get(origin);
    if (known) return known;
    const receiver: Receiver = {
      origin,
      pace: paces.get(origin) ?? assumedPace,
      open: new Set(),
      permits: 0,
      queues: new Map(),
      busyQueues: 0,
      waiting: new Set(),
    };
    receivers.set(origin, receiver);
    return receiver;
  }

  function queueOf({ id, companyId, url }: Addressed): Queue {
    const receiver = receiverAt(new URL(url).origin);
    let queue = receiver.queues.get(companyId);
    if (!queue) {
      queue = { companyId, receiver, permits: 0, overflowed: false, subscriptions: new Set(), waiting: [] };
      receiver.queues.set(companyId, queue);
    }
    queue.subscriptions.add(id);
    queueBySubscription.set(id, queue);
    return queue;
  }

  function isSlow({ pace, open }: Receiver): boolean {
    if (pace.slow) return true;
    const [oldest] = open;
    return oldest !== undefined && performance.now() - oldest.since >= SLOW_MS;
  }

  const requestsAtOnce = (receiver: Receiver) =>
    isSlow(receiver) ? Math.min(SLOW_REQUESTS, requestsPerReceiverMax) : requestsPerReceiverMax;
  const answersWithin = (waitMs: number, answerMs: number) => Math.ceil((requestsPerReceiverMax * waitMs) / answerMs);
  const isCrowded = (queue: Queue) => roomOf(queue, WAITING_MS.low, queue.receiver.pace.answerMs) <= 0;

  /** How many more deliveries may be in a queue; the companies of a receiver share what it answers in time. */
  function roomOf({ receiver, permits }: Queue, waitMs: number, answerMs: number): number {
    if (isSlow(receiver)) return requestsAtOnce(receiver) - receiver.permits;
    const all = requestsPerReceiverMax + answersWithin(waitMs, answerMs);
    const queues = receiver.busyQueues + (permits === 0 ? 1 : 0);
    return Math.ceil(all / queues) - permits;
  }

  /**
   * A company may have as many requests as are free for others, so that each newcomer finds half of what is left; and its
   * first one always.
   */
  function mayRequest({ receiver, companyId }: Queue): boolean {
    if (receiver.open.size >= requestsAtOnce(receiver)) return false;
    const ofCompany = requests.of(companyId);
    if (ofCompany === 0) return true;
    if (ofCompany >= requestsMax - requests.all()) return false;
    if (!isSlow(receiver)) return true;
    return (
      slowRequests.of(companyId) < Math.max(1, requestsMax * SLOW_SHARE_OF_COMPANY) &&
      slowRequests.all() < Math.max(1, requestsMax * SLOW_SHARE)
    );
  }

  /** Counts a request as open; returns what counts it as ended. */
  function openRequest({ receiver, companyId }: Queue): () => void {
    const request = { since: performance.now() };
    const idleBeforeMs = idleMs();
    const slow = isSlow(receiver);
    receiver.open.add(request);
    requests.add(companyId, 1);
    if (slow) slowRequests.add(companyId, 1);
    return () => {
      receiver.open.delete(request);
      requests.add(companyId, -1);
      if (slow) slowRequests.add(companyId, -1);
      const tookMs = performance.now() - request.since;
      receiver.pace = paceAfter(receiver.pace, tookMs, idleMs() - idleBeforeMs);
    };
  }

  /** Undefined when the wait took too long. */
  function waitForRequest(queue: Queue, one: InProgress): Promise<(() => void) | undefined> {
    const { receiver, waiting } = queue;
    return new Promise((resolve) => {
      const leave = () => {
        waiting.splice(waiting.indexOf(grant), 1);
        if (waiting.length === 0) receiver.waiting.delete(queue);
        if (receiver.waiting.size === 0) withWaiting.delete(receiver);
        end(undefined);
      };
      const timer = setTimeout(() => {
        queue.overflowed = true;
        leave();
      }, waitMsMax);
      const end = (close: (() => void) | undefined) => {
        clearTimeout(timer);
        one.stopWaiting = undefined;
        resolve(close);
      };
      const grant = () => end(openRequest(queue));
      one.stopWaiting = leave;
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
    for (const queue of receiver.waiting) {
      if (receiver.open.size >= requestsAtOnce(receiver)) break;
      if (!mayRequest(queue)) continue;
      queue.waiting.shift()!();
      isServed = true;
      // At the end the loop finds it again, after the others.
      if (queue.waiting.length > 0) moveToEnd(receiver.waiting, queue);
      else receiver.waiting.delete(queue);
    }
    return isServed;
  }

  function released(queue: Queue): void {
    const { receiver } = queue;
    grantWaiting();
    if (queue.permits === 0) {
      queue.overflowed = false;
      receiver.busyQueues -= 1;
    }
    if (receiver.permits === 0) remove(receiver);
    if (!wanted || isCrowded(queue)) return;
    wanted = false;
    listeners.forEach((listener) => listener());
  }

  function remove({ origin, queues, pace }: Receiver): void {
    paces.set(origin, pace);
    receivers.delete(origin);
    for (const queue of queues.values())
      for (const id of queue.subscriptions) if (queueBySubscription.get(id) === queue) queueBySubscription.delete(id);
  }

  function permit(subscriptionId: string, queue: Queue): RequestPermit {
    const one: InProgress = {
      subscriptionId,
      aborted: undefined,
      controller: undefined,
      ended: undefined,
      stopWaiting: undefined,
    };
    const { receiver } = queue;
    let close: (() => void) | undefined;
    inProgress.add(one);
    if (queue.permits === 0) receiver.busyQueues += 1;
    queue.permits += 1;
    receiver.permits += 1;
    return {
      get signal() {
        one.controller ??= new AbortController();
        if (one.aborted) one.controller.abort(one.aborted);
        return one.controller.signal;
      },
      async acquire() {
        if (one.aborted) return false;
        const atOnce = queue.waiting.length === 0 && mayRequest(queue);
        if (!atOnce && draining) return false;
        close = atOnce ? openRequest(queue) : await waitForRequest(queue, one);
        return close !== undefined;
      },
      release() {
        if (!inProgress.delete(one)) return;
        queue.permits -= 1;
        receiver.permits -= 1;
        close?.();
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
      const hasRoom =
        roomOf(queue, WAITING_MS.max, queue.receiver.pace.receiverMs) > 0 && inProgress.size < PERMITS_MAX;
      if (hasRoom && !queue.overflowed) return permit(subscription.id, queue);
      queue.overflowed = queue.permits > 0;
      wanted = true;
      return undefined;
    },
    room(subscriptionId) {
      const queue = queueBySubscription.get(subscriptionId);
      return queue
        ? roomOf(queue, WAITING_MS.filled, queue.receiver.pace.answerMs)
        : answersWithin(WAITING_MS.filled, assumedPace.answerMs);
    },
    saturated() {
      const saturated = receivers
        .values()
        .flatMap(({ queues }) => queues.values())
        .filter(isCrowded)
        .toArray();
      if (saturated.length > 0) wanted = true;
      return saturated.flatMap(({ subscriptions }) => [...subscriptions]);
    },
    drain() {
      draining = true;
      for (const one of inProgress) one.stopWaiting?.();
    },
    async abort(reason, subscriptionId) {
      const ending = [...inProgress].filter(
        (one) => subscriptionId === undefined || one.subscriptionId === subscriptionId,
      );
      const ended = ending.map((one) => {
        one.aborted ??= reason;
        one.controller?.abort(one.aborted);
        one.stopWaiting?.();
        return (one.ended ??= Promise.withResolvers<void>()).promise;
      });
      await Promise.all(ended);
    },
    onCapacity: (listener) => void listeners.push(listener),
  };
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
