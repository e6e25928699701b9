import { describe, expect, it } from '@jest/globals';
import { addUse, type EntryUses, usesUntil } from './entry-uses.ts';

const day = (index: number) => new Date(Date.UTC(2026, 0, 1 + index, 15));
const identity = { id: 'kno_1', companyId: 'com_1' };

describe('the uses of an entry', () => {
  it('the uses of an entry count for ninety days, today among them', () => {
    let uses: EntryUses | undefined;
    for (const index of [0, 0, 1, 50]) uses = addUse(identity, uses, day(index));
    expect([50, 89, 90, 91, 139, 140].map((index) => usesUntil(uses!, day(index)))).toEqual([4, 4, 2, 1, 1, 0]);
  });

  it('the uses of an entry that is used every day have a bounded size', () => {
    let uses: EntryUses | undefined;
    for (let index = 0; index < 400; index += 1) uses = addUse(identity, uses, day(index));
    expect(Object.keys(uses!.days)).toHaveLength(90);
    expect(usesUntil(uses!, day(399))).toBe(90);
  });
});
