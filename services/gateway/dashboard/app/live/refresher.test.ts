import { describe, expect, it } from '@jest/globals';
import { createRefresher } from './refresher.ts';

function start() {
  const reads: string[] = [];
  const ends: (() => void)[] = [];
  let flush = () => {};
  const refresh = createRefresher(
    (key) => {
      reads.push(key.join('/'));
      return new Promise<void>((resolve, reject) =>
        ends.push(() => (reads.length % 2 ? resolve() : reject(new Error()))),
      );
    },
    (scheduled) => {
      flush = scheduled;
    },
  );
  const end = async () => {
    ends.shift()?.();
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { reads, refresh, end, flush: () => flush() };
}

describe('refreshing', () => {
  it('refreshing reads once what several messages name, and nothing that is part of something else', () => {
    const { reads, refresh, flush } = start();
    for (const key of [['inbox'], ['activity', '+45'], ['inbox'], ['activity'], ['calls']]) refresh(key);
    expect(reads).toEqual([]);
    flush();
    expect(reads).toEqual(['inbox', 'activity', 'calls']);
  });

  it('refreshing reads once more what changed while it was read, also after a failure', async () => {
    const { reads, refresh, flush, end } = start();
    for (let change = 0; change < 4; change++) {
      refresh(['inbox']);
      flush();
    }
    expect(reads).toEqual(['inbox']);
    await end();
    expect(reads).toEqual(['inbox', 'inbox']);
    refresh(['inbox']);
    flush();
    await end();
    expect(reads).toHaveLength(3);
    await end();
    expect(reads).toHaveLength(3);
  });
});
