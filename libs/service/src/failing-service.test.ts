import { describe, expect, it } from '@jest/globals';
import { asService, failingService } from './run.ts';

const errorAt = (stack: string) => Object.assign(new Error('failed'), { stack });

describe('the service that failed', () => {
  it('the service that failed is the one that was running', async () => {
    const found = asService('identity', async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return failingService(errorAt('at x (/app/services/gateway/src/live/cable-server.ts:168:9)'));
    });
    expect(await found).toBe('identity');
  });

  it('the service that failed is otherwise the first one in the stack trace', () => {
    const stack =
      'Error\n at (/app/libs/http/src/a.ts:1:1)\n at x (/app/services/call-control/src/a.ts:1:1)\n at /app/services/gateway/src/b.ts';
    expect(failingService(errorAt(stack))).toBe('call-control');
  });

  it('the service that failed is unknown without either', () => {
    expect(failingService(errorAt('Error: read ECONNRESET\n at TCP.onStreamRead (node:internal)'))).toBeUndefined();
    expect(failingService('text')).toBeUndefined();
  });
});
