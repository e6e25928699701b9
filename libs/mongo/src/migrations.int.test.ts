import { testMongo } from '@parley/testkit';
import { afterAll, describe, expect, it } from '@jest/globals';
import { migrate, type Migration } from './migrations.ts';

const mongo = testMongo();
afterAll(() => mongo.close());

function recorded(runs: string[], name: string, run: Migration['run'] = async () => {}): Migration {
  return {
    name,
    run: async (db) => {
      runs.push(name);
      await run(db);
    },
  };
}

describe('migrations', () => {
  it('migrations run once in a database, in their order, and new ones later', async () => {
    const db = mongo.database();
    const runs: string[] = [];
    const [first, second, third] = ['first', 'second', 'third'].map((name) => recorded(runs, name));
    await migrate(db, [first!, second!]);
    await migrate(db, [first!, second!, third!]);
    expect(runs).toEqual(['first', 'second', 'third']);
  });

  it('migrations run again after a failure, and those behind it wait', async () => {
    const db = mongo.database();
    const runs: string[] = [];
    let isBroken = true;
    const failing = recorded(runs, 'failing', async () => {
      if (isBroken) throw new Error('stopped in the middle');
    });
    const next = recorded(runs, 'next');
    await expect(migrate(db, [failing, next])).rejects.toThrow('stopped in the middle');
    isBroken = false;
    await migrate(db, [failing, next]);
    expect(runs).toEqual(['failing', 'failing', 'next']);
  });

  it('migrations may run in several processes at once', async () => {
    const db = mongo.database();
    await db.collection('things').insertMany([{ old: 1 }, { old: 2 }]);
    const rename: Migration = {
      name: 'rename',
      async run() {
        await db.collection('things').updateMany({ old: { $exists: true } }, { $rename: { old: 'present' } });
      },
    };
    await Promise.all([migrate(db, [rename]), migrate(db, [rename]), migrate(db, [rename])]);
    expect(await db.collection('things').countDocuments({ present: { $exists: true } })).toBe(2);
  });
});
