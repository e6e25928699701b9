import type { Clock } from '@parley/clock';
import type { Engine } from '../sending/engine.ts';
import type { EndSubscription } from './end-subscription.ts';
import type { SigningSecrets } from '../subscriptions/signing-secrets.ts';
import type { Subscriptions } from '../subscriptions/subscription-store.ts';
import type { CheckedUrl } from '../subscriptions/subscription.ts';

/** What the RPCs of subscriptions work with. */
export interface SubscriptionDeps {
  readonly subscriptions: Subscriptions;
  readonly secrets: SigningSecrets;
  readonly engine: Engine;
  readonly endSubscription: EndSubscription;
  readonly checkUrl: (text: string) => Promise<CheckedUrl>;
  readonly clock: Clock;
  /** Orders subscriptions by creation. */
  readonly tick: () => number;
  readonly subscriptionsMax: number;
}
