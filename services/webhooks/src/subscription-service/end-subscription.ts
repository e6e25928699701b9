import type { BackgroundWork } from '@parley/clock';
import type { Broker } from '@parley/events';
import type { Telemetry } from '@parley/telemetry';
import type { Deliveries } from '../deliveries/delivery-store.ts';
import type { Receivers } from '../sending/receivers.ts';
import type { Subscriptions } from '../subscriptions/subscription-store.ts';

/** Ends a subscription and its requests in progress. Throws `Refused` when there is none. */
export type EndSubscription = (companyId: string, id: string) => Promise<void>;

/**
 * Once no process uses the deleted subscription any more no attempt starts, here or in another replica. Requests in progress are aborted here before the
 * answer; the other replicas are notified, before the caller gets the answer or a moment later.
 */
export function endingSubscriptions(deps: {
  subscriptions: Subscriptions;
  deliveries: Deliveries;
  receivers: Receivers;
  broker: Broker;
  backgroundWork: BackgroundWork;
  telemetry: Telemetry;
}): { end: EndSubscription; stop(): Promise<void> } {
  const { subscriptions, deliveries, receivers, broker, backgroundWork, telemetry } = deps;
  // Core NATS, not an event: it concerns running processes only.
  const subject = broker.subject('signals.webhooks.subscription-ended');
  const endings = broker.connection.subscribe(subject, {
    callback: (error, message) => void (error ?? receivers.abort('deleted', message.string())),
  });
  const clearing = new Set<Promise<void>>();

  /** The log is deleted with its subscription: it is no longer accessible and contains personal data. */
  function clear(id: string): void {
    const cleared: Promise<void> = backgroundWork
      .during(() => deliveries.removeAll(id))
      .catch((error: unknown) =>
        telemetry.log.warn({ err: error, subscription: id }, 'log not removed; it expires in time'),
      )
      .finally(() => clearing.delete(cleared));
    clearing.add(cleared);
  }

  return {
    async end(companyId, id) {
      await subscriptions.of(companyId).remove(id);
      // An attempt that begins after this knows that there is no subscription; earlier ones are aborted.
      await subscriptions.seenByAll();
      if (broker.connected()) broker.connection.publish(subject, id);
      await receivers.abort('deleted', id);
      clear(id);
    },
    async stop() {
      endings.unsubscribe();
      await Promise.all(clearing);
    },
  };
}
