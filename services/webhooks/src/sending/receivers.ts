/** One attempt on its way to a receiver. */
export interface Passage {
  /** Aborted when the subscription is deleted or the process stops; the reason says which. */
  readonly signal: AbortSignal;
  /** Waits for one of the receiver's places; false when it was aborted or took too long. */
  place(): Promise<boolean>;
  /** Frees the place, if it has one. */
  end(): void;
}

export type AbortReason = 'deleted' | 'stopping';

interface Addressed {
  readonly id: string;
  readonly companyId: string;
  readonly url: string;
}

/**
 * Who is being sent to, and who can be. A receiver is an origin, whichever subscriptions name it. It has a few places,
 * fewer when it is slow, and a short line of deliveries that this process has claimed; all others wait in the database.
 */
export interface Receivers {
  approach(subscription: Addressed): Passage;
  /** The same for what has only just happened; undefined when others wait in the database already. */
  approachNew(subscription: Addressed): Passage | undefined;
  /** Whether the line of every receiver stands still. */
  isFull(): boolean;
  /** How many more deliveries of a subscription may be claimed, as far as its receiver is known. */
  room(subscriptionId: string): number;
  /** Subscriptions known to have a receiver that keeps enough waiting. */
  crowded(): string[];
  /** Ends what is under way for a subscription, or for all of them; resolves when it has ended. */
  abort(reason: AbortReason, subscriptionId?: string): Promise<void>;
  /** Is told when there is room again that somebody could not have. */
  onRoom(listener: () => void): void;
}

export interface ReceiverLimits {
  readonly requestsMax: number;
  readonly requestsPerReceiverMax: number;
  /** Well below what a claim on a delivery lasts. */
  readonly lineMsMax: number;
}

interface Receiver {
  readonly origin: string;
  /** Places in use. */
  taken: number;
  /** On their way, with or without a place. */
  passages: number;
  /** Somebody was left in the database since the receiver was last idle. */
  overflowed: boolean;
  readonly subscriptions: Set<string>;
  readonly line: Waiting[];
}

interface Waiting {
  readonly companyId: string;
  come(): void;
}

interface UnderWay {
  readonly subscriptionId: string;
  readonly controller: AbortController;
  readonly ended: Promise<void>;
}

/**
 * Passages without a place, in multiples of a receiver's places: more are claimed when there are fewer than `low`, up to
 * `filled`; what has only just happened may come until there are `max`.
 */
const LINE = { low: 2, filled: 4, max: 20 };

/** A receiver that takes this long keeps few places, so that many of them cannot take all; until it is quick again. */
const SLOW_MS = 5_000;
const QUICK_MS = 1_000;
const SLOW_PLACES = 2;
const SLOW_REMEMBERED_MAX = 10_000;

export function openReceivers({ requestsMax, requestsPerReceiverMax, lineMsMax }: ReceiverLimits): Receivers {
  const receivers = new Map<string, Receiver>();
  const slow = new Set<string>();
  const underWay = new Set<UnderWay>();
  const byCompany = new Map<string, number>();
  /** One company's receivers, however many there are, leave room for the others'. */
  const requestsPerCompanyMax = Math.max(1, Math.floor(requestsMax / 2));
  const listeners: (() => void)[] = [];
  let requests = 0;
  /** Somebody could not be claimed for want of room. */
  let wanted = false;

  function receiverOf({ id, url }: Addressed): Receiver {
    const { origin } = new URL(url);
    const known = receivers.get(origin);
    const receiver = known ?? { origin, taken: 0, passages: 0, overflowed: false, subscriptions: new Set(), line: [] };
    if (!known) receivers.set(origin, receiver);
    receiver.subscriptions.add(id);
    return receiver;
  }

  const withoutPlace = ({ passages, taken }: Receiver) => passages - taken;
  const isCrowded = (receiver: Receiver) => withoutPlace(receiver) >= LINE.low * requestsPerReceiverMax;

  function hasPlace({ origin, taken }: Receiver, companyId: string): boolean {
    const places = slow.has(origin) ? Math.min(SLOW_PLACES, requestsPerReceiverMax) : requestsPerReceiverMax;
    const ofCompany = byCompany.get(companyId) ?? 0;
    return taken < places && requests < requestsMax && ofCompany < requestsPerCompanyMax;
  }

  function take(receiver: Receiver, companyId: string): void {
    receiver.taken += 1;
    requests += 1;
    byCompany.set(companyId, (byCompany.get(companyId) ?? 0) + 1);
  }

  function free(receiver: Receiver, companyId: string, tookMs: number): void {
    receiver.taken -= 1;
    requests -= 1;
    const ofCompany = (byCompany.get(companyId) ?? 0) - 1;
    if (ofCompany > 0) byCompany.set(companyId, ofCompany);
    else byCompany.delete(companyId);
    if (tookMs < QUICK_MS) slow.delete(receiver.origin);
    if (tookMs < SLOW_MS) return;
    if (slow.size >= SLOW_REMEMBERED_MAX) slow.clear();
    slow.add(receiver.origin);
  }

  /** False when the wait took too long. */
  function standInLine(receiver: Receiver, companyId: string, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const leave = () => {
        receiver.line.splice(receiver.line.indexOf(waiting), 1);
        done(false);
      };
      const timer = setTimeout(() => {
        receiver.overflowed = true;
        leave();
      }, lineMsMax);
      const done = (came: boolean) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', leave);
        resolve(came);
      };
      const waiting = {
        companyId,
        come() {
          take(receiver, companyId);
          done(true);
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      receiver.line.push(waiting);
    });
  }

  function moveOn(freed: Receiver): void {
    for (const receiver of [freed, ...receivers.values()]) {
      while (receiver.line[0] && hasPlace(receiver, receiver.line[0].companyId)) receiver.line.shift()!.come();
    }
    if (freed.passages === 0) receivers.delete(freed.origin);
    if (!wanted || isCrowded(freed)) return;
    wanted = false;
    listeners.forEach((listener) => listener());
  }

  function approach({ id, companyId }: Addressed, receiver: Receiver): Passage {
    const { promise, resolve } = Promise.withResolvers<void>();
    const one = { subscriptionId: id, controller: new AbortController(), ended: promise };
    const { signal } = one.controller;
    let placedAt: number | undefined;
    underWay.add(one);
    receiver.passages += 1;
    return {
      signal,
      async place() {
        if (signal.aborted) return false;
        const atOnce = receiver.line.length === 0 && hasPlace(receiver, companyId);
        if (atOnce) take(receiver, companyId);
        if (!atOnce && !(await standInLine(receiver, companyId, signal))) return false;
        placedAt = performance.now();
        return true;
      },
      end() {
        if (!underWay.delete(one)) return;
        receiver.passages -= 1;
        if (placedAt !== undefined) free(receiver, companyId, performance.now() - placedAt);
        resolve();
        moveOn(receiver);
      },
    };
  }

  return {
    approach: (subscription) => approach(subscription, receiverOf(subscription)),
    approachNew(subscription) {
      const receiver = receiverOf(subscription);
      if (!receiver.overflowed && withoutPlace(receiver) < LINE.max * requestsPerReceiverMax) {
        return approach(subscription, receiver);
      }
      receiver.overflowed = true;
      wanted = true;
      return undefined;
    },
    isFull() {
      if (requests < requestsMax) return false;
      wanted = true;
      return true;
    },
    room(subscriptionId) {
      const known = [...receivers.values()].find(({ subscriptions }) => subscriptions.has(subscriptionId));
      return LINE.filled * requestsPerReceiverMax - (known ? withoutPlace(known) : 0);
    },
    crowded() {
      const crowded = [...receivers.values()].filter(isCrowded);
      if (crowded.length > 0) wanted = true;
      return crowded.flatMap(({ subscriptions }) => [...subscriptions]);
    },
    async abort(reason, subscriptionId) {
      const ending = [...underWay].filter(
        (one) => subscriptionId === undefined || one.subscriptionId === subscriptionId,
      );
      ending.forEach(({ controller }) => controller.abort(reason));
      await Promise.all(ending.map(({ ended }) => ended));
    },
    onRoom: (listener) => void listeners.push(listener),
  };
}
