import { describe, expect, it } from '@jest/globals';
import { openSlots } from './slots.ts';

describe('the slots that may be given next', () => {
  it.each([
    ['a company of its owner alone', [undefined], 4, [0, 1, 2]],
    ['gaps', [undefined, 1, 3], 6, [0, 2, 4]],
    ['a full company', [undefined, 0, 1], 3, []],
    ['more than the cap, since it was lowered', [undefined, 0, 1, 2, 3], 3, []],
    ['slots beyond a lowered cap', [undefined, 7, 8], 4, [0]],
    ['some from before there were slots', [undefined, undefined, undefined, 0], 6, [1, 2]],
  ])('the slots that may be given next are known for %s', (_what, taken, max, open) => {
    expect(openSlots(taken, max)).toEqual(open);
  });

  it('the slots that may be given next never lead beyond the limit, however old the look is by which a slot is chosen', () => {
    const max = 6;
    for (let run = 0; run < 500; run++) {
      const taken = new Set<number>();
      const looks: number[][] = [];
      for (let step = 0; step < 60; step++) {
        const dice = Math.random();
        const choices = looks[Math.floor(Math.random() * looks.length)];
        if (dice < 0.3) looks.push(openSlots([undefined, ...taken], max));
        else if (dice < 0.8 && choices?.length) taken.add(choices[Math.floor(Math.random() * choices.length)]!);
        else taken.delete([...taken][0] ?? 0);
        expect(1 + taken.size).toBeLessThanOrEqual(max);
      }
    }
  });
});
