import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import { createRateLimiter, HttpError } from '@parley/http';
import { describe, expect, it } from '@jest/globals';
import { limitFailures } from './failure-limit.ts';

const now = { ms: 0 };
const clock = { now: () => new Date(now.ms) };

function setUp() {
  const failures = createRateLimiter({ perSecond: 1, burst: 3, clock });
  const addressOf = ({ headers }: IncomingMessage) => String(headers['x-address'] ?? '192.0.2.1');
  const limit = limitFailures({ failures, addressOf });
  /** 429, or what the endpoint answers. */
  function ask(path: string, status: number, headers: Record<string, string> = {}): number {
    const response = Object.assign(new EventEmitter(), { statusCode: status });
    let refused: unknown;
    limit.middleware(
      { path, headers } as Request,
      response as unknown as Response,
      (error?: unknown) => (refused = error),
    );
    if (refused instanceof HttpError) return refused.response.status;
    response.emit('finish');
    return status;
  }
  return { ask, limit };
}

describe('a flood at the pages and OAuth', () => {
  it('a flood at the pages and OAuth is refused once an address has failed too often, and forgiven in time', () => {
    const { ask } = setUp();
    expect([1, 2, 3, 4].map(() => ask('/oauth/token', 400))).toEqual([400, 400, 400, 429]);
    expect(ask('/signin', 200)).toBe(429);
    now.ms += 1000;
    expect(ask('/signin', 200)).toBe(200);
  });

  it('requests that succeed are no flood at the pages and OAuth', () => {
    const { ask } = setUp();
    expect(new Set(Array.from({ length: 1000 }, () => ask('/oauth/token', 200)))).toEqual(new Set([200]));
  });

  it('a flood at the pages and OAuth is also a flood of revocations, which always succeed', () => {
    const { ask } = setUp();
    expect([1, 2, 3, 4].map(() => ask('/oauth/revoke', 200)).at(-1)).toBe(429);
  });

  it('a flood at the pages and OAuth from an IPv6 network of 64 bits is counted as one, and others for themselves', () => {
    const { ask } = setUp();
    for (const last of ['1', '2', '3']) ask('/signin', 422, { 'x-address': `2001:db8:0:1::${last}` });
    expect(ask('/signin', 200, { 'x-address': '2001:db8:0:1:ffff::9' })).toBe(429);
    expect(ask('/signin', 200, { 'x-address': '2001:db8:0:2::1' })).toBe(200);
  });

  it('a flood at the pages and OAuth never locks out a browser that is known, which is not counted', () => {
    const { ask, limit } = setUp();
    const cookie = 'theme=dark; parley_device=dv_known; parley_session=ss_old';
    limit.recognised({ headers: { cookie } } as IncomingMessage);
    for (let n = 0; n < 5; n++) ask('/signin', 422);
    expect(ask('/signin', 200)).toBe(429);
    expect(ask('/signin', 422, { cookie: '__Host-parley_device=dv_known' })).toBe(422);
    expect(ask('/signin', 200, { cookie: 'parley_device=dv_made_up' })).toBe(429);
  });

  it('a flood at the pages and OAuth is also a flood of made-up sessions, whatever they are shown', () => {
    const { ask, limit } = setUp();
    for (let n = 0; n < 3; n++) limit.unrecognised({ headers: {} } as IncomingMessage);
    expect(ask('/signin', 200)).toBe(429);
  });

  it('a flood at the pages and OAuth leaves the API alone, which has limits by credential', () => {
    const { ask } = setUp();
    for (let n = 0; n < 10; n++) ask('/oauth/token', 400);
    expect(['/api/v1/contacts', '/mcp', '/media/x', '/healthz'].map((path) => ask(path, 404))).toEqual([
      404, 404, 404, 404,
    ]);
  });
});
