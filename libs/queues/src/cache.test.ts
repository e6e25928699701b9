import { describe, expect, it, jest } from '@jest/globals';
import { cache, type CacheOptions } from './cache.ts';

let now = 0;
function cached(options: Partial<CacheOptions> = {}) {
  now = 1000;
  const answers = cache<string>({ ageMaxMs: 60, max: 10, elapsedMs: () => now, ...options });
  const read = jest.fn(async (key: string) => {
    now += 20;
    return key.toUpperCase();
  });
  return { answers, read, get: (key: string) => answers.get(key, () => read(key)) };
}

describe('a cache', () => {
  it('a cache reads a key once as long as the answer is recent, counted from the start of the read', async () => {
    const { read, get } = cached();
    expect(await Promise.all([get('a'), get('a'), get('b')])).toEqual(['A', 'A', 'B']);
    expect(read.mock.calls).toEqual([['a'], ['b']]);
    now = 1059;
    await get('a');
    expect(read).toHaveBeenCalledTimes(2);
    now = 1061;
    await get('a');
    expect(read).toHaveBeenCalledTimes(3);
  });

  it('a cache reads again after a failure', async () => {
    const { read, get } = cached();
    read.mockRejectedValueOnce(new Error('unreachable'));
    await expect(get('a')).rejects.toThrow('unreachable');
    expect(await get('a')).toBe('A');
  });

  it('a cache with an age of 0 shares an answer only between requests at the same time', async () => {
    const { read, get } = cached({ ageMaxMs: 0 });
    await Promise.all([get('a'), get('a')]);
    expect(read).toHaveBeenCalledTimes(1);
    await get('a');
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('a cache does not keep an answer that is deleted while it is read', async () => {
    const { answers, read, get } = cached();
    const reading = get('a');
    answers.delete('a');
    await reading;
    await get('a');
    expect(read).toHaveBeenCalledTimes(2);
    answers.clear();
    await get('a');
    expect(read).toHaveBeenCalledTimes(3);
  });

  it('a cache reads the missing ones of several keys together, once, and leaves out those without an answer', async () => {
    const { answers, get } = cached();
    const read = jest.fn(async (keys: readonly string[]) => {
      return new Map(keys.filter((key) => key !== 'none').map((key) => [key, key.toUpperCase()]));
    });
    await get('a');
    const found = await Promise.all([
      answers.getMany(['b', 'a', 'none', 'b'], read),
      answers.getMany(['c', 'b'], read),
      answers.getMany(['none'], read),
    ]);
    expect(found.map((one) => [...one])).toEqual([
      [
        ['b', 'B'],
        ['a', 'A'],
      ],
      [
        ['c', 'C'],
        ['b', 'B'],
      ],
      [],
    ]);
    expect(read.mock.calls).toEqual([[['b', 'none']], [['c']]]);
  });

  it('a cache reads several keys again after a failure', async () => {
    const { answers } = cached();
    await expect(answers.getMany(['a', 'b'], () => Promise.reject(new Error('unreachable')))).rejects.toThrow('un');
    expect([...(await answers.getMany(['a'], async () => new Map([['a', 'A']])))]).toEqual([['a', 'A']]);
  });

  it('a cache deletes the answers that are outdated, and those that are being read', async () => {
    const { answers, read, get } = cached();
    await Promise.all([get('a'), get('b')]);
    const reading = get('c');
    expect(['a', 'c', 'd'].map(answers.has)).toEqual([true, true, false]);
    answers.deleteWhere((value) => value === 'A');
    await reading;
    expect(['a', 'b', 'c'].map(answers.has)).toEqual([false, true, false]);
    expect(read).toHaveBeenCalledTimes(3);
  });
});
