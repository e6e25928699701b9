import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { addressKey, HttpError, type RateLimiter } from '@parley/http';
import type { RequestHandler } from 'express';
import { LRUCache } from 'lru-cache';
import type { AddressOf } from './client-address.ts';

/** Limits the failures of one address, except those of known browsers. */
export interface FailureLimit {
  readonly middleware: RequestHandler;
  /** The browser has signed in before: failures of others at its address do not limit it. */
  recognised(request: IncomingMessage): void;
  /** It sent an unknown session, which counts as a failure. */
  unrecognised(request: IncomingMessage): void;
}

const KNOWN_MAX = 100_000;
/** `session` and `device`, with or without the prefix of cookies that are bound to a host. */
const COOKIES = /(?:^|;\s*)(?:__Host-)?parley_(?:session|device)=([\w-]{1,128})/g;

/** Stores hashes, which cannot be used to sign in. */
function knownBrowsers() {
  const known = new LRUCache<string, true>({ max: KNOWN_MAX });
  const digestsIn = ({ headers }: IncomingMessage) =>
    [...(headers.cookie ?? '').matchAll(COOKIES)].map(([, value = '']) =>
      createHash('sha256').update(value).digest('base64'),
    );
  return {
    has: (request: IncomingMessage) => digestsIn(request).some((digest) => known.has(digest)),
    remember: (request: IncomingMessage) => digestsIn(request).forEach((digest) => known.set(digest, true)),
  };
}

/** They have their own limits by credential, or only verify a signature. */
const EXEMPT = /^\/(api|mcp|media|webhooks|healthz|docs|openapi\.json)(\/|$)/;
/** Always succeeds, so that it does not reveal whether a token exists. */
const ALWAYS_COUNTED = '/oauth/revoke';

/**
 * Refuses an address that fails too often at the pages and at OAuth, without requests to services. Successful requests are never
 * limited, nor is a browser that has signed in before.
 */
export function limitFailures({ failures, addressOf }: { failures: RateLimiter; addressOf: AddressOf }): FailureLimit {
  const browsers = knownBrowsers();
  const count = (request: IncomingMessage) => {
    if (!browsers.has(request)) failures.consume(addressKey(addressOf(request)));
  };
  return {
    recognised: browsers.remember,
    unrecognised: count,
    middleware(request, response, next) {
      if (EXEMPT.test(request.path) || browsers.has(request)) return next();
      const waitSecs = failures.waitSecs(addressKey(addressOf(request)));
      if (waitSecs > 0) {
        const headers = { 'Retry-After': String(waitSecs) };
        return next(new HttpError(429, { error: 'rate_limited', code: 'rate_limited' }, headers));
      }
      response.on('finish', () => {
        const failed = response.statusCode >= 400 && response.statusCode < 500;
        if (failed || request.path === ALWAYS_COUNTED) count(request);
      });
      next();
    },
  };
}
