import type { Clock } from '@parley/clock';
import type { Cursors } from '@parley/store';
import type { Engine } from '../sending/engine.ts';
import type { Subscriptions } from '../subscriptions/subscription-store.ts';
import type { DeliveryBodies } from '../deliveries/delivery-bodies.ts';
import type { Deliveries } from '../deliveries/delivery-store.ts';

/** What the RPCs of deliveries work with. */
export interface DeliveryDeps {
  readonly deliveries: Deliveries;
  readonly bodies: DeliveryBodies;
  readonly subscriptions: Subscriptions;
  readonly engine: Engine;
  readonly cursors: Cursors;
  readonly clock: Clock;
}
