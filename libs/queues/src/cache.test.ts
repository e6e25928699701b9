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
  it('reads a key once as long as the answer is recent, counted from the start of the read', async () => {
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

  it('reads again after a failure', async () => {
    const { read, get } = cached();
    read.mockRejectedValueOnce(new Error('unreachable'));
    await expect(get('a')).rejects.toThrow('unreachable');
    expect(await get('a')).toBe('A');
  });

  it('with an age of 0 shares an answer only between requests at the same time', async () => {
    const { read, get } = cached({ ageMaxMs: 0 });
    await Promise.all([get('a'), get('a')]);
    expect(read).toHaveBeenCalledTimes(1);
    await get('a');
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('does not keep an answer that is deleted while it is read', async () => {
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
});
