import { describe, expect, it } from '@jest/globals';
import { PARTITIONS, partitionOf } from '../event/envelope.ts';

describe('partitionOf', () => {
  it('partitionOf never changes for an aggregate: stored cursors and subjects depend on it', () => {
    expect(['con_1', 'con_2', 'emp_8f3a', ''].map(partitionOf)).toEqual([7, 10, 4, 5]);
  });

  it('partitionOf spreads aggregates evenly', () => {
    const counts = Array.from({ length: PARTITIONS }, () => 0);
    for (let i = 0; i < 16_000; i++) counts[partitionOf(`con_${i.toString(16)}`)]! += 1;
    expect(Math.min(...counts)).toBeGreaterThan(700);
    expect(Math.max(...counts)).toBeLessThan(1300);
  });
});
