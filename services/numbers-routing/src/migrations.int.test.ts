import { idleRelay } from '@parley/aggregates/idle-relay';
import { systemClock } from '@parley/clock';
import { migrate } from '@parley/mongo';
import { insertEntities, testMongo } from '@parley/testkit';
import { afterAll, expect, it } from '@jest/globals';
import { testNumber } from '../test/test-number.ts';
import { migrations } from './migrations.ts';
import { openBusinessNumbers } from './numbers/business-number-store.ts';
import { defaultSettings } from './numbers/number-fields.ts';

const mongo = testMongo();
afterAll(() => mongo.close());

it('a number of an earlier version has the settings that were added since, as a new one has them', async () => {
  const db = mongo.database();
  const added = [...Object.keys(defaultSettings), 'assistantIds'];
  const earlier = Object.fromEntries(Object.entries(testNumber()).filter(([field]) => !added.includes(field)));
  const chosen = testNumber({ id: 'num_2', number: '+4570123457', ringStrategy: 'in_order' });
  const stored = { ...earlier, id: 'num_1' };
  await insertEntities(db, 'business_numbers', [stored, chosen]);
  await migrate(db, migrations);
  const numbers = (await openBusinessNumbers(db, idleRelay(), systemClock)).of('com_1');
  expect(await numbers.get('num_1')).toEqual(testNumber());
  expect(await numbers.get('num_2')).toEqual(chosen);
});
