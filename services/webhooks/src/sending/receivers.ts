import { fairQueue } from '@parley/queues';
import {
  type AdmissionLimits,
  type DeliveryTarget,
  openReceiverLoad,
  type Queue,
  type ReceiverLoad,
} from './receiver-load.ts';

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

export type Receivers = ReturnType<typeof openReceivers>;

export interface ReceiverLimits extends AdmissionLimits {
  /** The longest wait for a permit; well below the lease of a delivery. */
  readonly waitMsMax: number;
  /** The idle time of this process since its start; replaced in tests. */
  readonly idleMs?: () => number;
}

/** An attempt with a permit. Parts that most never need are created on demand, because thousands of them wait at once. */
interface InProgress {
  readonly subscriptionId: string;
  readonly queue: Queue;
  /** While it waits for its request: ends the wait. */
  endWait?: ((isGranted: boolean) => void) | undefined;
  /** While its request is open: counts it as ended. */
  closeRequest?: () => void;
  aborted?: AbortReason;
  controller?: AbortController;
  /** Resolved when the permit is released. */
  ended?: PromiseWithResolvers<void>;
}

/** Deliveries to all receivers in this process; new events beyond it wait in the database. */
const PERMITS_MAX = 5_000;

const processIdleMs = () => performance.eventLoopUtilization().idle;

/** Attempts that wait for their requests; receivers and companies are served in turn. */
function openWaitingLine(load: ReceiverLoad, waitMsMax: number) {
  /** By receiver and company. Those that do not wait any longer are removed when their turn comes. */
  const waiting = fairQueue<InProgress>();

  function open(one: InProgress): void {
    one.closeRequest = load.openRequest(one.queue);
  }

  function grantWaiting(): void {
    for (;;) {
      const mayOpen = load.admission();
      const next = waiting.take((one) => !one.endWait || mayOpen(one.queue));
      if (!next) return;
      if (!next.endWait) continue;
      open(next);
      next.endWait(true);
      next.endWait = undefined;
    }
  }

  function endWaits(ending: Iterable<InProgress>): void {
    for (const one of ending) {
      one.endWait?.(false);
      one.endWait = undefined;
    }
    grantWaiting();
  }

  return {
    grantWaiting,
    endWaits,
    /** Opens the request at once if it may be made; false when it has to wait. */
    tryOpen(one: InProgress): boolean {
      if (waiting.sizeOf(one.queue.key) > 0 || !load.admission()(one.queue)) return false;
      open(one);
      return true;
    },
    /** False when the wait took too long or was ended. */
    async wait(one: InProgress): Promise<boolean> {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      one.endWait = resolve;
      waiting.add(one.queue.key, one);
      const timer = setTimeout(() => {
        one.queue.overflowed = true;
        endWaits([one]);
      }, waitMsMax);
      const isGranted = await promise;
      clearTimeout(timer);
      return isGranted;
    },
  };
}

/**
 * Limits the open requests by receiver, by company and in all, so that hanging receivers, however many, do not delay
 * others. A receiver is an origin, whichever subscriptions name it. How quickly it answers is known for each company
 * apart: at a service that many of them use, it may hang for one and be quick for another. Those for which it is quick
 * share its requests and are served in turn.
 * What a receiver answers within seconds waits here, claimed by this process; all else waits in the database.
 */
export function openReceivers({ waitMsMax, idleMs = processIdleMs, ...limits }: ReceiverLimits) {
  const load = openReceiverLoad(limits, idleMs);
  const line = openWaitingLine(load, waitMsMax);
  const inProgress = new Set<InProgress>();
  const listeners: (() => void)[] = [];
  /** A delivery could not be claimed because of the limits. */
  let hasDeferred = false;
  let draining = false;

  function release(one: InProgress): void {
    const { queue } = one;
    if (!inProgress.delete(one)) return;
    queue.permits -= 1;
    one.closeRequest?.();
    one.ended?.resolve();
    if (queue.permits === 0) load.remove(queue);
    line.grantWaiting();
    if (!hasDeferred || load.isCrowded(queue)) return;
    hasDeferred = false;
    listeners.forEach((listener) => listener());
  }

  function permit(subscriptionId: string, queue: Queue): RequestPermit {
    const one: InProgress = { subscriptionId, queue };
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
        return line.tryOpen(one) || (!draining && line.wait(one));
      },
      release: () => release(one),
    };
  }

  return {
    permit: (subscription: DeliveryTarget) => permit(subscription.id, load.queueOf(subscription)),
    /** The same for a new event; undefined when others wait in the database already. */
    permitForNew(subscription: DeliveryTarget): RequestPermit | undefined {
      const queue = load.queueOf(subscription);
      if (load.takesNew(queue) && inProgress.size < PERMITS_MAX) return permit(subscription.id, queue);
      if (queue.permits === 0) load.remove(queue);
      else queue.overflowed = true;
      hasDeferred = true;
      return undefined;
    },
    /** Subscriptions whose receiver has enough deliveries waiting. */
    saturated(): string[] {
      const crowded = load.crowded();
      if (crowded.length > 0) hasDeferred = true;
      return crowded.flatMap(({ subscriptions }) => [...subscriptions]);
    },
    /** From now on no attempt waits for its request: those that wait do not make it. */
    drain(): void {
      draining = true;
      line.endWaits(inProgress);
    },
    /** Aborts requests in progress for a subscription, or for all of them; resolves when they have ended. */
    async abort(reason: AbortReason, subscriptionId?: string): Promise<void> {
      const ending = [...inProgress].filter(
        (one) => subscriptionId === undefined || one.subscriptionId === subscriptionId,
      );
      for (const one of ending) {
        one.aborted ??= reason;
        one.controller?.abort(one.aborted);
      }
      line.endWaits(ending);
      await Promise.all(ending.map((one) => (one.ended ??= Promise.withResolvers<void>()).promise));
    },
    capacity: load.capacity,
    count: load.count,
    /** Calls the listener when there is capacity for deliveries that could not be claimed. */
    onCapacity: (listener: () => void) => void listeners.push(listener),
  };
}
