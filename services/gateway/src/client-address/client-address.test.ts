import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import { clientAddress, warnOfUncountedProxy } from './client-address.ts';

const request = (headers: Record<string, string>, remoteAddress = '::ffff:192.0.2.9') =>
  ({ headers, socket: { remoteAddress } }) as unknown as IncomingMessage;

describe('the address of a client', () => {
  it.each([
    [0, 'spoofed', '192.0.2.9'],
    [1, 'spoofed, 198.51.100.1', '198.51.100.1'],
    [2, 'spoofed, 198.51.100.1, 10.0.0.1', '198.51.100.1'],
    [1, '', '192.0.2.9'],
  ])('the address of a client behind %i proxies with %j is %s', (hops, forwarded, address) => {
    expect(clientAddress(request({ 'x-forwarded-for': forwarded }), hops)).toBe(address);
  });
});

describe('a proxy that is not counted', () => {
  it.each([
    [0, ['x-forwarded-for'], 1],
    [0, ['x-other'], 0],
    [1, ['x-forwarded-for'], 0],
  ])('a proxy that is not counted, with %i hops and %j, is warned of %i times', (hops, names, times) => {
    const lines: object[] = [];
    const middleware = warnOfUncountedProxy({ warn: (fields) => void lines.push(fields) }, hops);
    const headers = Object.fromEntries(names.map((name) => [name, '203.0.113.1']));
    let passed = 0;
    for (let i = 0; i < 3; i++) middleware(request(headers) as Request, {} as Response, () => void passed++);
    expect([lines.length, passed]).toEqual([times, 3]);
  });
});
