import { describe, expect, it } from '@jest/globals';
import { openPublishBudget } from './outbox-publisher.ts';

const limits = { eventsBurst: 10, eventsPerSec: 2, bytesBurst: 1000, bytesPerSec: 100 };

describe('the publish budget of a company', () => {
  it('the publish budget of a company allows a burst, then as many as its rate', () => {
    let nowMs = 0;
    const budget = openPublishBudget(limits, () => nowMs);
    expect(budget.take('com_1', 10, 10)).toBe(0);
    expect(budget.take('com_1', 1, 1)).toBe(500);
    nowMs = 500;
    expect(budget.take('com_1', 1, 1)).toBe(0);
    expect(budget.take('com_1', 1, 1)).toBe(500);
  });

  it('the publish budget of a company counts bytes as well', () => {
    let nowMs = 0;
    const budget = openPublishBudget(limits, () => nowMs);
    expect(budget.take('com_1', 1, 950)).toBe(0);
    expect(budget.take('com_1', 1, 100)).toBe(500);
    nowMs = 60_000;
    expect(budget.take('com_1', 1, 100)).toBe(0);
  });

  it('the publish budget of a company is not used up by another company', () => {
    const budget = openPublishBudget(limits, () => 0);
    expect(budget.take('com_1', 10, 1000)).toBe(0);
    expect(budget.take('com_2', 10, 1000)).toBe(0);
  });

  it('the publish budget of a company lets through what is larger than a burst once the bucket is full', () => {
    let nowMs = 0;
    const budget = openPublishBudget(limits, () => nowMs);
    expect(budget.take('com_1', 50, 10)).toBe(0);
    expect(budget.take('com_1', 1, 1)).toBeGreaterThan(0);
    nowMs = 25_000;
    expect(budget.take('com_1', 1, 1)).toBe(0);
  });
});
