import { expect, it } from '@jest/globals';
import { erasureOf, type ErasureStep } from './erasure.ts';

const person = { companyId: 'com_1', phoneNumber: '+4520304050', before: new Date(0) };

/** A step with so many records, of which it removes two at a time. */
function aStep(name: string, records: number): ErasureStep {
  let left = records;
  return {
    name,
    async erase() {
      const removed = Math.min(2, left);
      left -= removed;
      return { removed, next: left > 0 ? String(left) : undefined };
    },
  };
}

it('an erasure runs the steps one after the other, a portion at a time, and counts', async () => {
  const erase = erasureOf([aStep('texts', 3), aStep('none', 0), aStep('items', 1)]);
  const positions: string[] = [];
  let removed = 0;
  for (let position = ''; ;) {
    const portion = await erase(person, position);
    removed += portion.removed;
    positions.push(portion.position);
    position = portion.position;
    if (portion.isDone) break;
  }
  expect(removed).toBe(4);
  expect(positions).toEqual(['texts/1', 'none/', 'items/', 'items/']);
});

it('an erasure stays where it is while a step waits', async () => {
  const waiting: ErasureStep = { name: 'calls', erase: async () => ({ removed: 1, isWaiting: true }) };
  const erase = erasureOf([waiting, aStep('texts', 1)]);
  expect(await erase(person, '')).toEqual({ removed: 1, position: 'calls/', isDone: false, isWaiting: true });
});

it('an erasure begins again at a position of another version', async () => {
  const erase = erasureOf([aStep('texts', 1)]);
  expect(await erase(person, 'something/5')).toMatchObject({ removed: 1, isDone: true });
});

it('an erasure refuses two steps of one name', () => {
  expect(() => erasureOf([aStep('texts', 1), aStep('texts', 1)])).toThrow('same name');
});
