import type { DueLease } from '@parley/store';
import type { Filter } from 'mongodb';
import type { Deliveries, DeliveryDocument } from '../deliveries/delivery-store.ts';
import type { Receivers } from './receivers.ts';

/** How many due deliveries are looked at in one go. */
const LOOK_AT_MAX = 100;

export interface Turns {
  /** The next claimed delivery; null when there is none that could be sent now. */
  take(claimable: Filter<DeliveryDocument>, lease: DueLease): Promise<DeliveryDocument | null>;
  /** Gives back what was claimed and not yet taken. */
  stop(): Promise<void>;
}

/**
 * Claims due deliveries subscription by subscription, of each as many as its receiver has places, and passes over those
 * whose receiver has none: a slow receiver with ten thousand due deliveries costs the others nothing, because the index
 * is entered behind them.
 */
export function takeTurns(deliveries: Deliveries, receivers: Receivers): Turns {
  let claimed: DeliveryDocument[] = [];
  let last = '';

  async function claimSome(claimable: Filter<DeliveryDocument>, lease: DueLease): Promise<DeliveryDocument[]> {
    if (receivers.isFull()) return [];
    const crowded = receivers.crowded();
    const after = await deliveries.due(claimable, { after: last, except: crowded, limit: LOOK_AT_MAX });
    const found =
      after.length > 0 || last === ''
        ? after
        : await deliveries.due(claimable, { after: '', except: crowded, limit: LOOK_AT_MAX });
    const room = new Map<string, number>();
    const chosen = found.filter(({ subscriptionId }) => {
      const left = room.get(subscriptionId) ?? receivers.room(subscriptionId);
      room.set(subscriptionId, left - 1);
      return left > 0;
    });
    last = found.length < LOOK_AT_MAX ? '' : (chosen.at(-1)?.subscriptionId ?? '');
    return deliveries.claim(chosen, claimable, lease);
  }

  return {
    async take(claimable, lease) {
      if (claimed.length === 0) claimed = await claimSome(claimable, lease);
      return claimed.shift() ?? null;
    },
    async stop() {
      await Promise.all(claimed.splice(0).map(({ _id, dueLease }) => deliveries.release(_id, dueLease!)));
    },
  };
}
