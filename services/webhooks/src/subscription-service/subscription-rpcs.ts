import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { Clock } from '@parley/clock';
import { notFound, Refused } from '@parley/errors';
import { employees, type RpcServer } from '@parley/rpc';
import { newId } from '@parley/secrets';
import { type SubscriptionSchema, SubscriptionService } from '@parley/proto/webhooks/v1/subscriptions_pb';
import type { CompanyLogs } from '../event-log/company-logs.ts';
import type { Engine } from '../sending/engine.ts';
import type { SigningSecrets } from '../subscriptions/signing-secrets.ts';
import type { Subscriptions } from '../subscriptions/subscription-store.ts';
import {
  type CheckedUrl,
  createSubscription,
  rotateSecret,
  type Subscription,
  type SubscriptionChange,
  updateSubscription,
} from '../subscriptions/subscription.ts';
import type { EndSubscription } from './end-subscription.ts';

export interface SubscriptionDeps {
  readonly subscriptions: Subscriptions;
  readonly logs: Pick<CompanyLogs, 'begin' | 'confirm'>;
  readonly secrets: SigningSecrets;
  readonly engine: Engine;
  readonly endSubscription: EndSubscription;
  readonly checkUrl: (text: string) => Promise<CheckedUrl>;
  readonly clock: Clock;
  /** Orders subscriptions by creation. */
  readonly tick: () => number;
  readonly subscriptionsMax: number;
}

export function addSubscriptionService(server: RpcServer, deps: SubscriptionDeps): void {
  const { subscriptions, logs, secrets, engine, checkUrl, clock } = deps;
  server.add(SubscriptionService, employees.withRole('admin'), {
    async createSubscription({ name, url, events, active = true }, { principal: { companyId } }) {
      const fields = { name, url: await checkUrl(url), events };
      const id = newId('whk');
      const { secret, encrypted } = secrets.make(id);
      const identity = { id, companyId, createdOrder: deps.tick() };
      const decision = createSubscription({ ...identity, fields, active, encryptedSecret: encrypted }, clock.now());
      // Before there is a subscription: whatever is delivered is in the log.
      const log = decision.ok ? await logs.begin(companyId) : undefined;
      const subscription = await subscriptions.of(companyId).create(decision, deps.subscriptionsMax);
      await subscriptions.seenByAll();
      if (!log?.recordedSince) await logs.confirm(companyId);
      return { subscription: subscriptionToProto(subscription), secret };
    },

    async getSubscription({ id }, { principal: { companyId } }) {
      const subscription = await subscriptions.of(companyId).get(id);
      if (!subscription) throw new Refused(notFound);
      return { subscription: subscriptionToProto(subscription) };
    },

    async listSubscriptions(_request, { principal: { companyId } }) {
      const all = await subscriptions.of(companyId).list();
      return { subscriptions: all.map(subscriptionToProto) };
    },

    async updateSubscription({ id, name, url, events, active }, { principal: { companyId } }) {
      const change: SubscriptionChange = {
        ...(name !== undefined && { name }),
        ...(url !== undefined && { url: await checkUrl(url) }),
        ...(events !== undefined && { events: events.events }),
        ...(active !== undefined && { active }),
      };
      const subscription = await subscriptions
        .of(companyId)
        .change(id, (current) => updateSubscription(current, change, clock.now()));
      await subscriptions.seenByAll();
      // Also when it was active before: this repairs a crash between these two steps.
      if (active) await engine.resume(id);
      return { subscription: subscriptionToProto(subscription) };
    },

    async rotateSubscriptionSecret({ id }, { principal: { companyId } }) {
      const { secret, encrypted } = secrets.make(id);
      const subscription = await subscriptions
        .of(companyId)
        .change(id, (current) => rotateSecret(current, encrypted, clock.now()));
      await subscriptions.seenByAll();
      return { subscription: subscriptionToProto(subscription), secret };
    },

    async deleteSubscription({ id }, { principal: { companyId } }) {
      await deps.endSubscription(companyId, id);
      // A use of the log: it does not end with the last webhook.
      await logs.begin(companyId);
      return {};
    },
  });
}

function subscriptionToProto(subscription: Subscription): MessageInitShape<typeof SubscriptionSchema> {
  return {
    id: subscription.id,
    name: subscription.name,
    url: subscription.url,
    events: [...subscription.events],
    active: subscription.active,
    createdAt: timestampFromDate(subscription.createdAt),
    updatedAt: timestampFromDate(subscription.updatedAt),
  };
}
