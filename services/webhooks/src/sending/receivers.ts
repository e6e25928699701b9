import { LRUCache } from 'lru-cache';
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
 * others. A receiver is an origin, whichever subscriptions name it. A few deliveries that this process has claimed wait
 * here for a permit; all others wait in the database.
 */
export interface Receivers {
  permit(subscription: Addressed): RequestPermit;
  /** The same for a new event; undefined when others wait in the database already. */
  permitForNew(subscription: Addressed): RequestPermit | undefined;
  /** How many more deliveries of a subscription may be claimed, as far as its receiver is known. */
  room(subscriptionId: string): number;
  /** Subscriptions whose receiver has enough deliveries waiting. */
  crowded(): string[];
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
}

interface Receiver {
  readonly origin: string;
  /** Start times of open requests, oldest first, in milliseconds of `performance.now()`. */
  readonly open: Set<{ readonly since: number }>;
  /** Permits that were requested and not released, with or without an open request. */
  permits: number;
  /** A delivery was left in the database since the receiver was last idle. */
  overflowed: boolean;
  readonly subscriptions: Set<string>;
  readonly waiting: Waiting[];
}

interface Waiting {
  readonly companyId: string;
  grant(): void;
}

interface InProgress {
  readonly subscriptionId: string;
  readonly controller: AbortController;
  readonly ended: Promise<void>;
}

/**
 * Waiting permits in multiples of a receiver's requests: more deliveries are claimed when there are fewer than `low`, up
 * to `filled`; new events may come until there are `max`. Of a slow receiver none waits here.
 */
const WAITING = { low: 2, filled: 4, max: 20 };

/** A receiver that takes this long gets few requests at once; until it is quick again. */
const SLOW_MS = 2_000;
const QUICK_MS = 1_000;
const SLOW_REQUESTS = 2;
const SLOW_ORIGINS_MAX = 10_000;
/** What requests to slow receivers may take of all requests: those of one company, and of all companies together. */
const SLOW_SHARE_OF_COMPANY = 0.1;
const SLOW_SHARE = 0.5;

export function openReceivers({ requestsMax, requestsPerReceiverMax, waitMsMax }: ReceiverLimits): Receivers {
  const receivers = new Map<string, Receiver>();
  const withWaiting = new Set<Receiver>();
  const slowOrigins = new LRUCache<string, true>({ max: SLOW_ORIGINS_MAX });
  const inProgress = new Set<InProgress>();
  const requests = countByCompany();
  const slowRequests = countByCompany();
  const listeners: (() => void)[] = [];
  /** A delivery could not be claimed because of the limits. */
  let wanted = false;

  function receiverOf({ id, url }: Addressed): Receiver {
    const { origin } = new URL(url);
    let receiver = receivers.get(origin);
    if (!receiver) {
      receiver = { origin, open: new Set(), permits: 0, overflowed: false, subscriptions: new Set(), waiting: [] };
      receivers.set(origin, receiver);
    }
    receiver.subscriptions.add(id);
    return receiver;
  }

  function isSlow({ origin, open }: Receiver): boolean {
    if (slowOrigins.has(origin)) return true;
    const [oldest] = open;
    return oldest !== undefined && performance.now() - oldest.since >= SLOW_MS;
  }

  const requestsAtOnce = (receiver: Receiver) =>
    isSlow(receiver) ? Math.min(SLOW_REQUESTS, requestsPerReceiverMax) : requestsPerReceiverMax;
  const waitingMax = (receiver: Receiver, share: number) => (isSlow(receiver) ? 0 : share * requestsPerReceiverMax);
  const roomOf = (receiver: Receiver, share: number) =>
    requestsAtOnce(receiver) + waitingMax(receiver, share) - receiver.permits;
  const isCrowded = (receiver: Receiver) => roomOf(receiver, WAITING.low) <= 0;

  /**
   * A company may have as many requests as are free for others, so that each newcomer finds half of what is left; and its
   * first one always.
   */
  function mayRequest(receiver: Receiver, companyId: string): boolean {
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
  function openRequest(receiver: Receiver, companyId: string): () => void {
    const request = { since: performance.now() };
    const slow = isSlow(receiver);
    receiver.open.add(request);
    requests.add(companyId, 1);
    if (slow) slowRequests.add(companyId, 1);
    return () => {
      receiver.open.delete(request);
      requests.add(companyId, -1);
      if (slow) slowRequests.add(companyId, -1);
      const tookMs = performance.now() - request.since;
      if (tookMs < QUICK_MS) slowOrigins.delete(receiver.origin);
      if (tookMs < SLOW_MS) return;
      slowOrigins.set(receiver.origin, true);
    };
  }

  /** Undefined when the wait took too long. */
  function waitForRequest(
    receiver: Receiver,
    companyId: string,
    signal: AbortSignal,
  ): Promise<(() => void) | undefined> {
    return new Promise((resolve) => {
      const leave = () => {
        receiver.waiting.splice(receiver.waiting.indexOf(waiting), 1);
        if (receiver.waiting.length === 0) withWaiting.delete(receiver);
        end(undefined);
      };
      const timer = setTimeout(() => {
        receiver.overflowed = true;
        leave();
      }, waitMsMax);
      const end = (close: (() => void) | undefined) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', leave);
        resolve(close);
      };
      const waiting = { companyId, grant: () => end(openRequest(receiver, companyId)) };
      signal.addEventListener('abort', leave, { once: true });
      receiver.waiting.push(waiting);
      withWaiting.add(receiver);
    });
  }

  function grantWaiting(): void {
    for (const receiver of withWaiting) {
      let granted = false;
      while (receiver.waiting[0] && mayRequest(receiver, receiver.waiting[0].companyId)) {
        receiver.waiting.shift()!.grant();
        granted = true;
      }
      if (receiver.waiting.length === 0) withWaiting.delete(receiver);
      else if (granted) {
        // Behind the others, for the next request that ends.
        withWaiting.delete(receiver);
        withWaiting.add(receiver);
      }
    }
  }

  function released(receiver: Receiver): void {
    grantWaiting();
    if (receiver.permits === 0) receivers.delete(receiver.origin);
    if (!wanted || isCrowded(receiver)) return;
    wanted = false;
    listeners.forEach((listener) => listener());
  }

  function permit({ id, companyId }: Addressed, receiver: Receiver): RequestPermit {
    const { promise, resolve } = Promise.withResolvers<void>();
    const one = { subscriptionId: id, controller: new AbortController(), ended: promise };
    const { signal } = one.controller;
    let close: (() => void) | undefined;
    inProgress.add(one);
    receiver.permits += 1;
    return {
      signal,
      async acquire() {
        if (signal.aborted) return false;
        const atOnce = receiver.waiting.length === 0 && mayRequest(receiver, companyId);
        close = atOnce ? openRequest(receiver, companyId) : await waitForRequest(receiver, companyId, signal);
        return close !== undefined;
      },
      release() {
        if (!inProgress.delete(one)) return;
        receiver.permits -= 1;
        close?.();
        resolve();
        released(receiver);
      },
    };
  }

  return {
    permit: (subscription) => permit(subscription, receiverOf(subscription)),
    permitForNew(subscription) {
      const receiver = receiverOf(subscription);
      if (!receiver.overflowed && roomOf(receiver, WAITING.max) > 0) return permit(subscription, receiver);
      receiver.overflowed = true;
      wanted = true;
      return undefined;
    },
    room(subscriptionId) {
      const known = [...receivers.values()].find(({ subscriptions }) => subscriptions.has(subscriptionId));
      return known ? roomOf(known, WAITING.filled) : WAITING.filled * requestsPerReceiverMax;
    },
    crowded() {
      const crowded = [...receivers.values()].filter(isCrowded);
      if (crowded.length > 0) wanted = true;
      return crowded.flatMap(({ subscriptions }) => [...subscriptions]);
    },
    async abort(reason, subscriptionId) {
      const ending = [...inProgress].filter(
        (one) => subscriptionId === undefined || one.subscriptionId === subscriptionId,
      );
      ending.forEach(({ controller }) => controller.abort(reason));
      await Promise.all(ending.map(({ ended }) => ended));
    },
    onCapacity: (listener) => void listeners.push(listener),
  };
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
