import { describe, expect, it } from '@jest/globals';
import { Playout } from './playout.ts';

const of = (...samples: number[]) => Int16Array.of(...samples);

describe('Playout', () => {
  it('Playout plays a source in its order, then silence', () => {
    const playout = new Playout(8000);
    playout.add('a', of(1, 2));
    playout.add('a', of(3));
    expect([...playout.take(2)]).toEqual([1, 2]);
    expect([...playout.take(2)]).toEqual([3, 0]);
    expect([...playout.take(2)]).toEqual([0, 0]);
  });

  it('Playout mixes sources, within what 16 bits allow', () => {
    const playout = new Playout(8000);
    playout.add('a', of(1, 30_000));
    playout.add('b', of(2, 30_000));
    expect([...playout.take(2)]).toEqual([3, 32_767]);
  });

  it('Playout repeats a loop until it is stopped', () => {
    const playout = new Playout(8000);
    playout.loop('tone', of(1, 2, 3));
    expect([...playout.take(5)]).toEqual([1, 2, 3, 1, 2]);
    playout.stop('tone');
    expect([...playout.take(1)]).toEqual([0]);
  });

  it('Playout drops what does not fit', () => {
    const playout = new Playout(1000);
    playout.add('a', of(1, 2, 3), 2);
    playout.add('a', of(4), 2);
    expect([...playout.take(4)]).toEqual([1, 2, 0, 0]);
  });
});
