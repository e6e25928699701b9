import type { Clock } from '@parley/clock';
import type { Lease } from '@parley/aggregates';
import { beginAttempt, type Delivery, isSettled, recordInterruption, withdrawAttempt } from '../deliveries/delivery.ts';
import { type Deliveries, type DeliveryFilter, type StoredDelivery, toDelivery } from '../deliveries/delivery-store.ts';
import type { Receivers } from './receivers.ts';

/** The due deliveries of one query. */
const PAGE = 200;

/** After a look that found nothing, the next one is this much later, unless something is known to be due. */
const QUIET_MS = 500;

export interface DueClaims {
  /** The next claimed delivery, with its attempt started; null when there is none that could be sent now. */
  next(claimable: DeliveryFilter, lease: Lease): Promise<StoredDelivery | null>;
  /** Something may be due: the next look is at once. */
  wake(): void;
  /** Releases what was claimed and not yet taken. */
  stop(): Promise<void>;
}

/**
 * Claims due deliveries subscription by subscription, of each as many as its receiver has capacity for, and passes over those
 * whose receiver has none: a slow receiver with ten thousand due deliveries costs the others nothing, because the index
 * is entered behind them.
 */
export function openDueClaims(deliveries: Deliveries, receivers: Receivers, clock: Clock): DueClaims {
  let claimed: StoredDelivery[] = [];
  let lastSubscription = '';
  let quietSince = -Infinity;
  let wakes = 0;

  /** One whose last attempt was interrupted has none left, and is settled instead. */
  function begin(delivery: Delivery, now: Date): Delivery {
    const resumed = recordInterruption(delivery, now);
    return isSettled(resumed) ? resumed : beginAttempt(resumed, now);
  }

  async function claimPage(claimable: DeliveryFilter, lease: Lease): Promise<StoredDelivery[]> {
    const wakesBefore = wakes;
    const saturated = receivers.saturated();
    const page = (after: string) => deliveries.due(claimable, { after, except: saturated, limit: PAGE });
    const after = await page(lastSubscription);
    const found = after.length > 0 || lastSubscription === '' ? after : await page('');
    if (found.length === 0 && wakes === wakesBefore) quietSince = performance.now();
    const capacities = new Map<string, number>();
    const chosen = found.filter(({ subscriptionId }) => {
      const left = capacities.get(subscriptionId) ?? receivers.capacity(subscriptionId);
      capacities.set(subscriptionId, left - 1);
      return left > 0;
    });
    lastSubscription = found.length < PAGE ? '' : (found.at(-1)?.subscriptionId ?? '');
    const now = clock.now();
    return deliveries.claim(chosen, lease, (delivery) => begin(delivery, now));
  }

  return {
    async next(claimable, lease) {
      if (claimed.length === 0 && performance.now() - quietSince < QUIET_MS) return null;
      if (claimed.length === 0) claimed = await claimPage(claimable, lease);
      return claimed.shift() ?? null;
    },
    wake() {
      wakes += 1;
      quietSince = -Infinity;
    },
    async stop() {
      const unsent = claimed.splice(0).map((stored) => ({ delivery: toDelivery(stored), lease: stored.claim }));
      await Promise.all(
        unsent.map(({ delivery, lease }) =>
          deliveries.record({ delivery: isSettled(delivery) ? delivery : withdrawAttempt(delivery), lease }),
        ),
      );
    },
  };
}
