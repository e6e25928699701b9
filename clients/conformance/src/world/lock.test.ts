import { expect, it } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { Lock } from './lock.ts';

it('a lock is held by many at once, or by one alone, in the order in which they came', async () => {
  const lock = new Lock();
  const steps: string[] = [];
  const ends: Record<string, () => void> = {};
  const hold = (name: string, alone: boolean) =>
    lock.hold(alone, async () => {
      steps.push(`${name} begins`);
      await new Promise<void>((resolve) => (ends[name] = resolve));
      steps.push(`${name} ends`);
    });
  const all = [hold('a', false), hold('b', false), hold('c', true), hold('d', false)];
  await turn();
  expect(steps).toEqual(['a begins', 'b begins']);
  ends['a']!();
  await turn();
  expect(steps).toEqual(['a begins', 'b begins', 'a ends']);
  ends['b']!();
  await turn();
  ends['c']!();
  await turn();
  ends['d']!();
  await Promise.all(all);
  expect(steps.slice(3)).toEqual(['b ends', 'c begins', 'c ends', 'd begins', 'd ends']);
});

it('a lock is free again after work that failed', async () => {
  const lock = new Lock();
  await expect(lock.hold(true, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await lock.hold(true, () => Promise.resolve('yes'))).toBe('yes');
});
