import { expect, it } from '@jest/globals';
import type { NumberedItem } from '../sessions/item-store.ts';
import type { KeyItem } from '../sessions/session-item.ts';
import { ItemLog } from './item-log.ts';

const key = (digit: string): KeyItem => ({ type: 'key', key: digit, at: new Date(0) });

function openLog(save: (item: NumberedItem) => Promise<void> = async () => undefined) {
  const stored: [number, string][] = [];
  const failed: unknown[] = [];
  const log = new ItemLog(
    4,
    async (numbered) => {
      await save(numbered);
      stored.push([numbered.sequence, (numbered.item as KeyItem).key]);
    },
    (error) => void failed.push(error),
  );
  return { log, stored, failed };
}

it('items are stored in their order behind those of an earlier process, each in its last state', async () => {
  const { log, stored } = openLog();
  const first = log.add(key('1'));
  log.add(key('2'));
  first.change({ key: '3' });
  await log.flush();
  expect(stored).toEqual([
    [5, '1'],
    [5, '3'],
    [6, '2'],
  ]);
  expect(log.count).toBe(6);
});

it.each(Array.from({ length: 12 }, (_, ticks) => ticks))(
  'an item is stored that is added %i steps after the one before began to be',
  async (ticks) => {
    const { log, stored } = openLog();
    log.add(key('1'));
    for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
    log.add(key('2'));
    await log.flush();
    expect(stored).toEqual([
      [5, '1'],
      [6, '2'],
    ]);
  },
);

it('an item that is not stored does not keep others from being stored', async () => {
  const { log, stored, failed } = openLog(async ({ sequence }) => {
    if (sequence === 5) throw new Error('no database');
  });
  log.add(key('1'));
  log.add(key('2'));
  await log.flush();
  expect([stored, failed.length]).toEqual([[[6, '2']], 1]);
});
