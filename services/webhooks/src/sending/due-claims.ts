import type { Clock } from '@parley/clock';
import type { Lease } from '@parley/aggregates';
import { beginAttempt, type Delivery, isSettled, recordInterruption } from '../deliveries/delivery.ts';
import type { Deliveries, DeliveryFilter, StoredDelivery } from '../deliveries/delivery-store.ts';
import type { Receivers } from './receivers.ts';

/** The due deliveries of one query. */
const PAGE = 200;
/** After a query that found nothing, the next one is this much later, unless something is known to be due. */
const QUIET_MS = 500;

/**
 * Claims due deliveries subscription by subscription, of each as many as its receiver has capacity for, and passes over those
 * whose receiver has none: a slow receiver with ten thousand due deliveries costs the others nothing, because the index
 * is entered behind them.
 */
export function openDueClaims(deliveries: Deliveries, receivers: Receivers, clock: Clock) {
  let lastSubscription = '';
  let quietUntil = 0;

  return {
    /** The attempts of what is claimed are started. */
    async take(claimable: DeliveryFilter, lease: Lease): Promise<StoredDelivery[]> {
      if (performance.now() < quietUntil) return [];
      quietUntil = performance.now() + QUIET_MS;
      const saturated = receivers.saturated();
      const page = (after: string) => deliveries.due(claimable, after, saturated, PAGE);
      const after = await page(lastSubscription);
      const found = after.length > 0 || lastSubscription === '' ? after : await page('');
      if (found.length > 0) quietUntil = 0;
      lastSubscription = found.length < PAGE ? '' : found.at(-1)!.subscriptionId;
      const capacities = new Map<string, number>();
      const chosen = found.filter(({ subscriptionId }) => {
        const left = capacities.get(subscriptionId) ?? receivers.capacity(subscriptionId);
        capacities.set(subscriptionId, left - 1);
        return left > 0;
      });
      const now = clock.now();
      return deliveries.claim(chosen, lease, (delivery) => begin(delivery, now));
    },
    /** Something may be due: the next query is made at once. */
    wake(): void {
      quietUntil = 0;
    },
  };
}

/** One whose last attempt was interrupted has none left, and is settled instead. */
function begin(delivery: Delivery, now: Date): Delivery {
  const resumed = recordInterruption(delivery, now);
  return isSettled(resumed) ? resumed : beginAttempt(resumed, now);
}
