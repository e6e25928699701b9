import { encryptor } from '@parley/secrets';
import {
  missingFields,
  RELEASE_KEY,
  RELEASE_WRITES,
  releaseDocuments,
  restoreRelease,
  waitUntil,
} from '@parley/testkit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { type RunningWebhooks, runWebhooks } from './support/running-webhooks.ts';

const released = releaseDocuments('webhooks');
const [subscription] = released['subscriptions'] ?? [];
const [id, companyId] = [subscription?._id ?? '', String(subscription?.companyId)];

let receiver: Receiver;
let webhooks: RunningWebhooks;
beforeAll(async () => {
  receiver = await startReceiver();
  webhooks = await runWebhooks([receiver.origin], { ENCRYPTION_KEY: RELEASE_KEY });
});
afterAll(async () => {
  await webhooks?.stop();
  await receiver?.close();
});

describe.each(RELEASE_WRITES)('a subscription that the last release stored %s', (moment, when) => {
  const path = `/${moment.replaceAll(' ', '-')}`;
  beforeAll(async () => {
    await webhooks.stopService();
    await restoreRelease(webhooks.db, released, when);
    await webhooks.restart();
  });

  it('a subscription that the last release stored is read, changed, used with its secret, and keeps every field that the release reads', async () => {
    const { subscriptions, deliveries } = webhooks;
    const me = webhooks.as(companyId);
    expect((await subscriptions.getSubscription({ id }, me)).subscription?.name).toBe(subscription?.name);
    await subscriptions.updateSubscription({ id, url: receiver.origin + path }, me);
    await deliveries.sendTestEvent({ subscriptionId: id }, me);
    const request = await waitUntil(() => receiver.at(path)[0], { what: 'the test event' });
    const secret = encryptor(RELEASE_KEY).decrypt(subscription?.['secrets'][0].encrypted, `webhook/${id}/secret`);
    const headers = request.headers as Record<string, string>;
    expect(() => new Webhook(secret).verify(request.rawBody, headers)).not.toThrow();
    // Renamed in those of before the upgrade; the release reads its absence as false.
    const missing = await missingFields(webhooks.db, released);
    expect(missing.filter((field) => field !== 'deliveries followed')).toEqual([]);
  });

  it('a subscription that the last release stored has its log, whose deliveries can be sent again', async () => {
    const me = webhooks.as(companyId);
    const logged = released['deliveries']?.find(({ subscriptionId }) => subscriptionId === id);
    const { deliveries } = await webhooks.deliveries.listDeliveries({ subscriptionId: id, limit: 100 }, me);
    expect(deliveries.map((delivery) => delivery.id)).toContain(logged?._id);
    const before = receiver.at(path).length;
    await webhooks.deliveries.retryDelivery({ subscriptionId: id, deliveryId: logged?._id ?? '' }, me);
    await waitUntil(() => receiver.at(path).length > before, { what: 'the delivery' });
  });
});
