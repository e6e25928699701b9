import { expect, it, jest } from '@jest/globals';
import { recentReads } from './recent-reads.ts';

it('reads a key once as long as the answer is recent, counted from the start of the read', async () => {
  let now = 1000;
  const read = jest.fn(async (key: string) => {
    now += 20;
    return key.toUpperCase();
  });
  const recent = recentReads(read, { ageMaxMs: 60, max: 10, elapsedMs: () => now });
  expect(await Promise.all([recent('a'), recent('a'), recent('b')])).toEqual(['A', 'A', 'B']);
  expect(read.mock.calls).toEqual([['a'], ['b']]);
  now = 1059;
  await recent('a');
  expect(read).toHaveBeenCalledTimes(2);
  now = 1061;
  await recent('a');
  expect(read).toHaveBeenCalledTimes(3);
});

it('reads again after a failure', async () => {
  const read = jest.fn(async (key: string) => key);
  read.mockRejectedValueOnce(new Error('unreachable'));
  const recent = recentReads(read, { ageMaxMs: 60_000, max: 10 });
  await expect(recent('a')).rejects.toThrow('unreachable');
  expect(await recent('a')).toBe('a');
});
