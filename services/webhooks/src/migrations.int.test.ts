import { idleRelay } from '@parley/aggregates/idle-relay';
import { systemClock } from '@parley/clock';
import { migrate } from '@parley/mongo';
import { testMongo } from '@parley/testkit';
import { afterAll, describe, expect, it } from '@jest/globals';
import { migrations } from './migrations.ts';
import { openSubscriptions } from './subscriptions/subscription-store.ts';
import { updateSubscription } from './subscriptions/subscription.ts';

const mongo = testMongo();
afterAll(() => mongo.close());

describe('a subscription of an earlier version', () => {
  it('a subscription of an earlier version is read and changed like others, and is not suspended', async () => {
    const db = mongo.database();
    const earlier = { companyId: 'com_1', name: 'CRM', url: 'https://a.example', events: [], active: true, slot: 0 };
    await db.collection<{ _id: string }>('subscriptions').insertOne({ _id: 'whk_1', ...earlier });
    await migrate(db, migrations);
    const own = (await openSubscriptions(db, idleRelay(), systemClock)).of('com_1');
    expect(await own.list()).toMatchObject([{ id: 'whk_1', name: 'CRM', suspended: false }]);
    await own.change('whk_1', (current) => updateSubscription(current, { name: 'Shop' }, new Date()));
    expect(await own.get('whk_1')).toMatchObject({ name: 'Shop', suspended: false });
  });
});
