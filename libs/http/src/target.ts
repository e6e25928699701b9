import type { IncomingMessage } from 'node:http';

/** Where a request goes, below a prefix. */
export interface Target {
  readonly path: string;
  /** What followed the question mark. */
  readonly query: string;
}

/** Undefined when the request is for something outside of `prefix`. */
export function targetOf(request: IncomingMessage & { originalUrl?: string }, prefix: string): Target | undefined {
  // Express shortens `url` where a handler is mounted, and keeps the whole in `originalUrl`.
  const url = originForm(request.originalUrl ?? request.url ?? '');
  if (url === undefined || !url.startsWith(prefix)) return undefined;
  const mark = url.indexOf('?', prefix.length);
  const end = mark === -1 ? url.length : mark;
  const query = mark === -1 ? '' : url.slice(mark + 1);
  if (end === prefix.length) return { path: '/', query };
  return url.charCodeAt(prefix.length) === SLASH ? { path: url.slice(prefix.length, end), query } : undefined;
}

const SLASH = 47;

/** RFC 9112 section 3.2.2: a server takes `GET http://host/path` as well. */
function originForm(url: string): string | undefined {
  if (url.charCodeAt(0) === SLASH) return url;
  if (!URL.canParse(url)) return undefined;
  const { pathname, search } = new URL(url);
  return pathname + search;
}
