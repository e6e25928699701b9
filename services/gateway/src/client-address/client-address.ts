import type { IncomingMessage } from 'node:http';
import type { HttpLog } from '@parley/http';
import type { NextFunction, Request, Response } from 'express';
import ipaddr from 'ipaddr.js';

/** From which network address a request comes. */
export type AddressOf = (request: IncomingMessage) => string;

/** Each trusted proxy appends its client to X-Forwarded-For; clients can forge everything to the left. */
export function clientAddress({ headers, socket }: IncomingMessage, proxyHops: number): string {
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  const address = proxyHops > 0 ? forwarded.at(-proxyHops)?.trim() : undefined;
  return (address || socket.remoteAddress || '').replace(/^::ffff:/, '').slice(0, 64);
}

/**
 * The key of limits by address: an IPv4 address, or the /64 network of an IPv6 one, which is the smallest that a customer gets and
 * has too many addresses to limit individually.
 */
export function addressKey(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

/** Middleware: warns once about a proxy that PROXY_HOPS does not count, because all clients then share one address. */
export function warnOfUncountedProxy(log: Pick<HttpLog, 'warn'>, proxyHops: number) {
  let warned = proxyHops > 0;
  return ({ headers }: Request, _response: Response, next: NextFunction): void => {
    if (!warned && headers['x-forwarded-for'] !== undefined) {
      warned = true;
      log.warn(
        { setting: 'PROXY_HOPS' },
        'a request came with X-Forwarded-For, but PROXY_HOPS is 0: limits by address count all clients of the proxy as one',
      );
    }
    next();
  };
}
