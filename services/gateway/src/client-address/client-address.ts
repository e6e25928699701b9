import type { IncomingMessage } from 'node:http';
import type { HttpLog } from '@parley/http';
import type { NextFunction, Request, Response } from 'express';

/** From which network address a request comes. */
export type AddressOf = (request: IncomingMessage) => string;

/** Each trusted proxy appends its client to X-Forwarded-For; clients can forge everything to the left. */
export function clientAddress({ headers, socket }: IncomingMessage, proxyHops: number): string {
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  const address = proxyHops > 0 ? forwarded.at(-proxyHops)?.trim() : undefined;
  return (address || socket.remoteAddress || '').replace(/^::ffff:/, '').slice(0, 64);
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
