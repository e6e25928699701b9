import { describe, expect, it } from '@jest/globals';
import { afterFailure, afterSuccess, type EndpointHealth, isLeftAlone } from './endpoint-health.ts';

const at = (secs: number) => new Date(Date.UTC(2026, 2, 1, 12, 0, secs));
const identity = { id: 'com_1/company', companyId: 'com_1' };
const failing = (secs: readonly number[]) =>
  secs.reduce<EndpointHealth | undefined>(
    (health, sec) => afterFailure(identity, health, 'timeout', at(sec)),
    undefined,
  );

describe('an endpoint', () => {
  it('an endpoint that fails five times within a minute is left alone for a minute', () => {
    expect(isLeftAlone(failing([0, 10, 20, 30]), at(30))).toBe(false);
    const health = failing([0, 10, 20, 30, 59]);
    expect([59, 90, 118, 119].map((sec) => isLeftAlone(health, at(sec)))).toEqual([true, true, true, false]);
    expect(isLeftAlone(failing([0, 10, 20, 30, 60]), at(60))).toBe(false);
  });

  it('an endpoint that was left alone may fail five times again', () => {
    const health = failing([0, 1, 2, 3, 4, 65, 66, 67, 68]);
    expect(isLeftAlone(health, at(68))).toBe(false);
    expect(isLeftAlone(afterFailure(identity, health, 'timeout', at(69)), at(69))).toBe(true);
  });

  it('an endpoint shows why its last request failed, until one is answered', () => {
    const health = failing([0])!;
    expect(health.lastError).toBe('timeout');
    expect(afterSuccess(health)).toMatchObject({ lastError: null, failedAt: [at(0)] });
  });

  it('an endpoint is not left alone for longer when the clock is moved back', () => {
    expect(isLeftAlone(failing([3600, 3601, 3602, 3603, 3604]), at(0))).toBe(false);
  });
});
