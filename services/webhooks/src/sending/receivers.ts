/** One request's place at a receiver. */
export interface Place {
  /** Aborted when the subscription is deleted or the process stops; the reason says which. */
  readonly signal: AbortSignal;
  release(): void;
}

export type AbortReason = 'deleted' | 'stopping';

/** Who is being sent to, and who can be. A receiver is an origin, whichever subscriptions name it. */
export interface Receivers {
  /** A place at the subscription's receiver, if there is one left. */
  take(subscription: { id: string; url: string }): Place | undefined;
  /**
   * The same for what has only just happened. Where others wait already, it waits with them, so that nothing old is
   * passed by for ever.
   */
  takeFresh(subscription: { id: string; url: string }): Place | undefined;
  /** Whether no receiver has a place left. */
  isFull(): boolean;
  /** Subscriptions known to have a receiver without a place. */
  crowded(): string[];
  /** Ends what is under way for a subscription, or for all of them; resolves when it has ended. */
  abort(reason: AbortReason, subscriptionId?: string): Promise<void>;
  /** Is told when a place is free that somebody could not have. */
  onRoom(listener: () => void): void;
}

interface Receiver {
  taken: number;
  /** Somebody could not have a place since the receiver was last idle. */
  crowded: boolean;
  readonly subscriptions: Set<string>;
}

interface Under {
  readonly subscriptionId: string;
  readonly controller: AbortController;
  readonly ended: Promise<void>;
}

export function openReceivers(limits: { requestsMax: number; requestsPerReceiverMax: number }): Receivers {
  const { requestsMax, requestsPerReceiverMax } = limits;
  const receivers = new Map<string, Receiver>();
  const underWay = new Set<Under>();
  const listeners: (() => void)[] = [];
  let refused = false;

  function receiverOf({ id, url }: { id: string; url: string }): { origin: string; receiver: Receiver } {
    const { origin } = new URL(url);
    const receiver = receivers.get(origin) ?? { taken: 0, crowded: false, subscriptions: new Set<string>() };
    receivers.set(origin, receiver);
    receiver.subscriptions.add(id);
    return { origin, receiver };
  }

  function take(subscription: { id: string; url: string }): Place | undefined {
    const { origin, receiver } = receiverOf(subscription);
    if (underWay.size >= requestsMax || receiver.taken >= requestsPerReceiverMax) {
      refused = true;
      receiver.crowded = true;
      if (receiver.taken === 0) receivers.delete(origin);
      return undefined;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const under = { subscriptionId: subscription.id, controller: new AbortController(), ended: promise };
    underWay.add(under);
    receiver.taken += 1;
    return {
      signal: under.controller.signal,
      release() {
        if (!underWay.delete(under)) return;
        receiver.taken -= 1;
        if (receiver.taken === 0) receivers.delete(origin);
        resolve();
        if (!refused) return;
        refused = false;
        listeners.forEach((listener) => listener());
      },
    };
  }

  return {
    take,
    takeFresh: (subscription) => {
      const { receiver } = receiverOf(subscription);
      return receiver.crowded ? undefined : take(subscription);
    },
    isFull() {
      if (underWay.size < requestsMax) return false;
      refused = true;
      return true;
    },
    crowded() {
      const without = [...receivers.values()].filter(({ taken }) => taken >= requestsPerReceiverMax);
      if (without.length > 0) refused = true;
      return without.flatMap(({ subscriptions }) => [...subscriptions]);
    },
    async abort(reason, subscriptionId) {
      const concerned = [...underWay].filter((under) => !subscriptionId || under.subscriptionId === subscriptionId);
      concerned.forEach(({ controller }) => controller.abort(reason));
      await Promise.all(concerned.map(({ ended }) => ended));
    },
    onRoom: (listener) => void listeners.push(listener),
  };
}
