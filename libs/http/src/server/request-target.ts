/** The parsed target of a request line. */
export interface RequestTarget {
  /** Percent-encoded, as it was sent; begins with a slash. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** The authority of a target in absolute form, which replaces the Host header (RFC 9112, 3.2.2). */
  readonly host?: string;
}

const ABSOLUTE = /^https?:\/\//i;
/**
 * Reads the target of a request; undefined for one that is no path. Percent-encoding is left as it is: a malformed one names
 * nothing (404), and in a query it is text. It is total: what a client sends is read in event handlers, where nothing may
 * throw, and `new URL('//', base)` does.
 */
export function readTarget(target: string | undefined): RequestTarget | undefined {
  if (target === undefined) return undefined;
  if (target.startsWith('/')) return split(target);
  if (!ABSOLUTE.test(target) || !URL.canParse(target)) return undefined;
  const { host, pathname, search } = new URL(target);
  return { ...split(pathname + search), host };
}

function split(target: string): RequestTarget {
  const [withoutFragment = ''] = target.split('#', 1);
  const mark = withoutFragment.indexOf('?');
  if (mark < 0) return { path: withoutFragment, query: '' };
  return { path: withoutFragment.slice(0, mark), query: withoutFragment.slice(mark + 1) };
}
