import { isIP, isIPv4 } from 'node:net';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { HttpError, readTarget } from '@parley/http';

/** The content types that a form of any page can send without a CORS preflight. */
const FORM_TYPES = new Set(['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']);
/** Services, partners and clients under test send bodies of any type to these paths. */
const RECEIVERS = /^\/(?:hooks|integrations|servers|v2)\//;

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

/** Why a request comes from a page of another site; undefined when it does not. Programs send no Origin. */
export type ForeignPage = (request: Pick<IncomingMessage, 'headers'>) => 'foreign_host' | 'foreign_origin' | undefined;

export function foreignPage(hosts: OwnHosts, origins: ReadonlySet<string>): ForeignPage {
  return ({ headers: { host, origin } }) => {
    if (host !== undefined && !isOwnHost(host, hosts)) return 'foreign_host';
    const isOwnPage = origin === undefined || origins.has(origin) || origin === `http://${host}`;
    return isOwnPage ? undefined : 'foreign_origin';
  };
}

/** Refuses what pages of other sites can make a browser send: the sandbox has no authentication that would. */
export function refuseForeignPages(foreign: ForeignPage) {
  return (request: IncomingMessage, _response: ServerResponse, next: (error?: unknown) => void): void => {
    const code = foreign(request);
    if (code) return next(refused(403, code));
    const { 'content-type': type = '' } = request.headers;
    const isForm = FORM_TYPES.has(type.split(';', 1)[0]!.trim().toLowerCase());
    if (isForm && !RECEIVERS.test(readTarget(request.url)?.path ?? ''))
      return next(refused(415, 'unsupported_media_type'));
    next();
  };
}

const refused = (status: number, code: string) => new HttpError(status, { error: code, code });
