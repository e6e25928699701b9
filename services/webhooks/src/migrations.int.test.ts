import { idleRelay } from '@parley/aggregates/idle-relay';
import { systemClock } from '@parley/clock';
import { migrate } from '@parley/mongo';
import { testMongo } from '@parley/testkit';
import { afterAll, describe, expect, it } from '@jest/globals';
import { openCompanyLogs } from './event-log/company-logs.ts';
import { migrations } from './migrations.ts';
import { openSubscriptions } from './subscriptions/subscription-store.ts';
import { updateSubscription } from './subscriptions/subscription.ts';

const mongo = testMongo();
afterAll(() => mongo.close());

describe('data of an earlier version', () => {
  it('a subscription of an earlier version is read and changed like others, with events, and is not suspended', async () => {
    const db = mongo.database();
    const earlier = { companyId: 'com_1', name: 'CRM', url: 'https://a.example', events: [], active: true, slot: 0 };
    await db.collection<{ _id: string }>('subscriptions').insertOne({ _id: 'whk_1', ...earlier });
    await migrate(db, migrations);
    const own = (await openSubscriptions(db, idleRelay(), systemClock)).of('com_1');
    expect(await own.list()).toMatchObject([{ id: 'whk_1', name: 'CRM', suspended: false }]);
    await own.change('whk_1', (current) => updateSubscription(current, { name: 'Shop' }, new Date()));
    expect(await own.get('whk_1')).toMatchObject({ name: 'Shop', suspended: false });
    const stored = await db.collection('subscriptions').findOne({});
    expect(stored).toMatchObject({
      _eventCounts: { subscription: 1 },
      _outbox: [{ type: 'webhooks.subscription.updated' }],
    });
  });

  it('a company with a subscription of an earlier version has an event log, once', async () => {
    const db = mongo.database();
    const subscription = { name: 'CRM', url: 'https://a.example', events: [], active: true };
    const subscriptions = db.collection<{ _id: string }>('subscriptions');
    for (const [nth, companyId] of ['com_1', 'com_1', 'com_2'].entries())
      await subscriptions.insertOne({ _id: `whk_${nth}`, companyId, slot: nth, ...subscription } as never);
    await migrate(db, migrations);
    const logs = await openCompanyLogs(db, systemClock);
    const begun = await Promise.all(['com_1', 'com_2', 'com_3'].map((companyId) => logs.recording(companyId)));
    expect(begun).toMatchObject([{ companyId: 'com_1' }, { companyId: 'com_2' }]);
    expect(begun[2]).toBeUndefined();
    // All of its events are known to be recorded when somebody first reads them.
    const { recordedSince } = await logs.used('com_1');
    expect(recordedSince.getTime()).toBeGreaterThan(begun[0]!.eventsFrom.getTime());
    await migrations.at(-1)!.run(db);
    expect((await logs.used('com_1')).recordedSince).toEqual(recordedSince);
  });

  it('a delivery of an earlier version keeps that another one waits behind it', async () => {
    const db = mongo.database();
    const deliveries = db.collection<{ _id: string }>('deliveries');
    await deliveries.insertOne({ _id: 'dlv_1', followed: true } as never);
    await migrate(db, migrations);
    expect(await deliveries.findOne({ _id: 'dlv_1' })).toEqual({ _id: 'dlv_1', hasSuccessor: true });
  });
});
