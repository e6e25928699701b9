import { isIP, isIPv4 } from 'node:net';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { HttpError, readTarget } from '@parley/http';

/** The content types that a form of any page can send without a CORS preflight. */
const FORM_TYPES = new Set(['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']);
/** Services and partners send bodies of any type to these paths. */
const RECEIVERS = /^\/(?:hooks|integrations|v2)\//;

/** The names under which the sandbox is asked. */
export interface OwnHosts {
  /** Its own names, beside those of this machine. */
  readonly names: readonly string[];
  /** Accepts any address, not only those of this machine. */
  readonly anyAddress: boolean;
}

/**
 * Checks that a Host header names the sandbox. A page of another site can let its own name resolve to this machine (DNS rebinding),
 * and browsers then treat the sandbox as a part of that site; only the Host header reveals it.
 */
export function isOwnHost(header: string, { names, anyAddress }: OwnHosts): boolean {
  const [, bracketed, plain = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/.exec(header) ?? [];
  const name = (bracketed ?? plain).toLowerCase();
  if (name === 'localhost' || name === '::1' || (isIPv4(name) && name.startsWith('127.'))) return true;
  return isIP(name) !== 0 ? anyAddress || names.includes(name) : names.includes(name);
}

/** Refuses what pages of other sites can make a browser send: the sandbox has no authentication that would. */
export function refuseForeignPages(hosts: OwnHosts, origins: ReadonlySet<string>) {
  return (request: IncomingMessage, _response: ServerResponse, next: (error?: unknown) => void): void => {
    const { host, origin, 'content-type': type = '' } = request.headers;
    if (host !== undefined && !isOwnHost(host, hosts)) return next(refused(403, 'foreign_host'));
    const isOwnPage = origin === undefined || origins.has(origin) || origin === `http://${host}`;
    if (!isOwnPage) return next(refused(403, 'foreign_origin'));
    const isForm = FORM_TYPES.has(type.split(';', 1)[0]!.trim().toLowerCase());
    if (isForm && !RECEIVERS.test(readTarget(request.url)?.path ?? ''))
      return next(refused(415, 'unsupported_media_type'));
    next();
  };
}

const refused = (status: number, code: string) => new HttpError(status, { error: code, code });
