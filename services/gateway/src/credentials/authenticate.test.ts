import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { createRateLimiter, HttpError } from '@parley/http';
import { authenticate } from './authenticate.ts';
import { asEmployee } from '@parley/testkit/service';
import { cacheVerifications } from './verified-credentials.ts';

const { as: ane } = asEmployee('com_1', 'emp_1', 'key_1');

function setUp() {
  let timeMs = 1_000_000;
  const verified: string[] = [];
  const verify = async (credential: string) => {
    verified.push(credential);
    return credential === 'pk_ane' ? ane : undefined;
  };
  const now = () => timeMs;
  const check = authenticate({
    apiKeys: cacheVerifications(verify, now),
    accessTokens: cacheVerifications(verify, now),
    failures: createRateLimiter({ perSecond: 1, burst: 5, clock: { now: () => new Date(timeMs) } }),
    addressOf: (request) => String(request.headers['x-address'] ?? '192.0.2.1'),
  });
  const send = async (headers: Record<string, string>) => {
    try {
      await check({ headers } as unknown as IncomingMessage);
      return 200;
    } catch (error) {
      return error instanceof HttpError ? error.response.status : 500;
    }
  };
  return { verified, send, move: (ms: number) => (timeMs += ms) };
}

describe('wrong credentials', () => {
  it('wrong credentials are refused without asking identity once an address has sent too many', async () => {
    const { verified, send, move } = setUp();
    const statuses = [];
    for (let i = 0; i < 20; i++) statuses.push(await send({ 'x-api-key': `pk_wrong${i}` }));
    expect(statuses).toEqual([...Array(5).fill(401), ...Array(15).fill(429)]);
    expect(verified).toHaveLength(5);
    move(2_000);
    expect(await send({ authorization: 'Bearer at_wrong' })).toBe(401);
  });

  it('wrong credentials do not lock out a credential that is known at the same address, nor any at another', async () => {
    const { send, move } = setUp();
    expect(await send({ 'x-api-key': 'pk_ane' })).toBe(200);
    move(60_000);
    for (let i = 0; i < 20; i++) await send({ 'x-api-key': `pk_wrong${i}` });
    expect(await send({ 'x-api-key': 'pk_ane' })).toBe(200);
    expect(await send({ 'x-api-key': 'pk_wrong', 'x-address': '192.0.2.2' })).toBe(401);
  });

  it('wrong credentials are counted by the network of an IPv6 address', async () => {
    const { send } = setUp();
    for (let i = 0; i < 5; i++) await send({ 'x-api-key': `pk_wrong${i}`, 'x-address': `2001:db8::${i}` });
    expect(await send({ 'x-api-key': 'pk_other', 'x-address': '2001:db8::ffff' })).toBe(429);
    expect(await send({ 'x-api-key': 'pk_other', 'x-address': '2001:db8:0:1::1' })).toBe(401);
  });

  it('wrong credentials with an impossible format are never sent to identity', async () => {
    const { verified, send } = setUp();
    const wrong: Record<string, string>[] = [
      { 'x-api-key': 'sk_x' },
      { 'x-api-key': `pk_${'x'.repeat(300)}` },
      { authorization: 'Basic eA==' },
      {},
    ];
    for (const headers of wrong) expect(await send(headers)).toBe(401);
    expect(verified).toEqual([]);
  });
});
