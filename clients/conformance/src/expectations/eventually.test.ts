import { expect, it } from '@jest/globals';
import { eventually } from './eventually.ts';
import { expect as expectShape } from './expect.ts';

it('what holds eventually is tried until it holds', async () => {
  let count = 0;
  const value = await eventually('the count is 3', async () => {
    count += 1;
    expectShape(count, 3, 'the count');
    return 'done';
  });
  expect([value, count]).toEqual(['done', 3]);
});

it('what does not hold in time fails with the last thing that was wrong', async () => {
  const never = eventually('it is 2', () => Promise.resolve(expectShape(1, 2, 'it')), { withinMs: 30 });
  await expect(never).rejects.toThrow('it is 2: not within 0.03 s; it is 1 instead of 2');
});

it('another error than an expectation is not tried again', async () => {
  let count = 0;
  const broken = eventually('it works', () => {
    count += 1;
    return Promise.reject(new Error('broken'));
  });
  await expect(broken).rejects.toThrow('broken');
  expect(count).toBe(1);
});
