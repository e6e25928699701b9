import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { waitUntil } from '@parley/testkit';
import { type Received, type Receiver, startReceiver } from './receiver.ts';
import { type RunningWebhooks, runWebhooks } from './running-webhooks.ts';

/** The service and a receiver, for all tests of a file; after each the receiver is well and the clock is right. */
export interface WebhooksFixture {
  readonly webhooks: RunningWebhooks;
  readonly receiver: Receiver;
  /** Subscribes a new path of the receiver. */
  subscribe(events: string[]): Promise<{ id: string; secret: string; path: string }>;
  log(
    subscriptionId: string,
  ): Promise<Awaited<ReturnType<RunningWebhooks['deliveries']['listDeliveries']>>['deliveries']>;
  /** Waits until so many requests have arrived. */
  arrivals(path: string, howMany: number): Promise<Received[]>;
}

export function webhooksFixture(): WebhooksFixture {
  let receiver: Receiver;
  let webhooks: RunningWebhooks;
  let count = 0;

  beforeAll(async () => {
    receiver = await startReceiver();
    webhooks = await runWebhooks([receiver.origin]);
  });
  afterAll(async () => {
    await webhooks?.stop();
    await receiver?.close();
  });
  afterEach(async () => {
    receiver.reply = () => ({});
    await webhooks.moveClock(0);
  });

  return {
    get webhooks() {
      return webhooks;
    },
    get receiver() {
      return receiver;
    },
    async subscribe(events) {
      const path = `/hook-${(count += 1)}`;
      const { subscription, secret } = await webhooks.subscriptions.createSubscription(
        { name: 'CRM', url: receiver.origin + path, events },
        webhooks.as(),
      );
      return { id: subscription!.id, secret, path };
    },
    async log(subscriptionId) {
      const { deliveries } = await webhooks.deliveries.listDeliveries({ subscriptionId, limit: 100 }, webhooks.as());
      return deliveries;
    },
    arrivals: (path, howMany) =>
      waitUntil(() => (receiver.at(path).length >= howMany ? receiver.at(path) : undefined), {
        what: `${howMany} requests at ${path}`,
      }),
  };
}
