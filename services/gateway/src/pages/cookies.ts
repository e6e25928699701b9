import type { IncomingMessage } from 'node:http';

/** The cookies of the pages. */
export type CookieName = 'session' | 'device' | 'form';

const DAY_SECS = 24 * 3600;
const LIFETIME_SECS: Readonly<Record<CookieName, number>> = {
  session: 30 * DAY_SECS,
  device: 180 * DAY_SECS,
  form: DAY_SECS,
};

/** `__Host-` binds a cookie to this very host over TLS: other hosts of the same domain cannot set one. */
function nameOf(name: CookieName, secure: boolean): string {
  return `${secure ? '__Host-' : ''}parley_${name}`;
}

/** The value, or the empty string. One that is sent twice is ignored. */
export function readCookie({ headers }: IncomingMessage, name: CookieName, secure: boolean): string {
  const wanted = `${nameOf(name, secure)}=`;
  const found = (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(wanted));
  const value = found.length === 1 ? (found[0]?.slice(wanted.length) ?? '') : '';
  return /^[\w-]{1,128}$/.test(value) ? value : '';
}

/** The Set-Cookie field; an empty value takes the cookie away. */
export function cookie(name: CookieName, value: string, secure: boolean): string {
  const age = value === '' ? 0 : LIFETIME_SECS[name];
  const flags = `Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return `${nameOf(name, secure)}=${value}; ${flags}`;
}
