import { beforeEach, expect, it } from '@jest/globals';
import { pushAddresses } from './push-addresses.ts';

const HOUR_MS = 3600 * 1000;
let nowMs: number;
let addresses: ReturnType<typeof pushAddresses>;
beforeEach(() => {
  nowMs = Date.UTC(2026, 2, 2);
  addresses = pushAddresses({ now: () => new Date(nowMs) } as Parameters<typeof pushAddresses>[0]);
});

it('an address that fails is left alone for longer each time, and others are not', () => {
  const waits: number[] = [];
  for (let failures = 0; failures < 5; failures++) {
    const from = nowMs;
    expect(addresses.failed('a')).toBe(false);
    expect([addresses.mayTry('a'), addresses.mayTry('b')]).toEqual([false, true]);
    while (!addresses.mayTry('a')) nowMs += 1000;
    waits.push((nowMs - from) / 1000);
  }
  expect(waits).toEqual([2, 4, 8, 16, 32]);
});

it('requests that fail together count as one, and a success ends it', () => {
  for (let requests = 0; requests < 20; requests++) expect(addresses.failed('a')).toBe(false);
  nowMs += 2000;
  expect(addresses.mayTry('a')).toBe(true);
  addresses.succeeded('a');
  addresses.failed('a');
  nowMs += 2000;
  expect(addresses.mayTry('a')).toBe(true);
});

it('an address that has failed for hours is given up', () => {
  const begun = nowMs;
  while (!addresses.failed('a')) while (!addresses.mayTry('a')) nowMs += 1000;
  expect(nowMs - begun).toBeGreaterThan(HOUR_MS);
  expect(nowMs - begun).toBeLessThan(24 * HOUR_MS);
});

it('an address is logged once a minute', () => {
  expect([addresses.mayLog('a'), addresses.mayLog('a'), addresses.mayLog('b')]).toEqual([true, false, true]);
  nowMs += 60_000;
  expect(addresses.mayLog('a')).toBe(true);
});
