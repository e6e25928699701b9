import { expect, it } from '@jest/globals';
import { levelOf } from './level.ts';

it.each([
  [0, 0],
  [0.001, 0],
  [0.0316, 50],
  [1, 100],
])('the level of samples of %d is %d', (sample, level) => {
  expect(levelOf(new Float32Array(64).fill(sample))).toBe(level);
});

it('the level of no samples is that of silence', () => {
  expect(levelOf(new Float32Array())).toBe(0);
});
