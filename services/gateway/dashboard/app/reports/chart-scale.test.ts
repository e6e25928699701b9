import { expect, it } from '@jest/globals';
import { axisMax, axisSteps, hasLabel } from './chart-scale.ts';

it('an axis has four whole steps and room for every value', () => {
  expect(axisSteps(0)).toEqual([0, 1, 2, 3, 4]);
  expect(axisSteps(82)).toEqual([0, 25, 50, 75, 100]);
  for (let max = 0; max < 5000; max += 7) {
    const steps = axisSteps(max);
    expect(steps.every(Number.isInteger)).toBe(true);
    expect(axisMax(max)).toBeGreaterThanOrEqual(max);
    expect(axisMax(max)).toBeLessThanOrEqual(Math.max(4, max * 2.5));
  }
});

it('an axis names no more groups than have room', () => {
  const named = (count: number) =>
    Array.from({ length: count }, (_, index) => hasLabel(index, count, 6)).filter(Boolean);
  expect(named(7).length).toBe(4);
  expect(named(6).length).toBe(6);
  expect(named(365).length).toBeLessThanOrEqual(6);
});
