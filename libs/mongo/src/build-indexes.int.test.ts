import { afterAll, describe, expect, it } from '@jest/globals';
import { startTelemetry } from '@parley/telemetry';
import { testMongo } from '@parley/testkit';
import { buildIndexes } from './build-indexes.ts';

const mongo = testMongo();
const telemetry = startTelemetry({ service: 'test', version: '0', logLevel: 'silent' });
afterAll(async () => {
  await mongo.close();
  await telemetry.stop();
});

const things = [
  { name: 'slot', key: { companyId: 1, slot: 1 }, unique: true },
  { name: 'text', key: { text: 1 } },
] as const;

describe('a build of indexes', () => {
  it('a build of indexes adds those that an existing collection does not have, and nothing when it is repeated', async () => {
    const db = mongo.database();
    await db.collection('things').createIndexes([{ name: 'text', key: { text: 1 } }]);
    const catalog = { things, others: [{ name: 'text', key: { text: 1 } }] };
    expect(await buildIndexes(db, catalog, telemetry.log)).toEqual({ built: 1 });
    expect((await db.collection('things').indexes()).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['slot', 'text']),
    );
    expect(await db.listCollections({ name: 'others' }).toArray()).toEqual([]);
    expect(await buildIndexes(db, catalog, telemetry.log)).toEqual({ built: 0 });
  });

  it('a build of indexes leaves to the start what the documents of before do not allow, and what has another name there', async () => {
    const db = mongo.database();
    const earlier = { name: 'company_text', key: { text: 1 } } as const;
    await db.collection('things').createIndexes([earlier]);
    await db.collection('things').insertMany(['a', 'b'].map((text) => ({ companyId: 'c', slot: 1, text })));
    const catalog = { things: [...things, { name: 'slot_text', key: { slot: 1, text: 1 } }] };
    expect(await buildIndexes(db, catalog, telemetry.log)).toEqual({ built: 1 });
    const found = (await db.collection('things').indexes()).map(({ name }) => name);
    expect(found.toSorted()).toEqual(['_id_', 'company_text', 'slot_text']);
  });
});
