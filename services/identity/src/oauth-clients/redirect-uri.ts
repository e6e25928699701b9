const LENGTH_MAX = 2000;
/** Visible ASCII without quotes, backslash, angle brackets and similar characters, which browsers and servers parse differently. */
const CHARACTERS = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+$/;
const WEB = /^(https?):\/\/([^/?#]+)([/?].*)?$/i;
const LOOPBACK = /^(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/i;
const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
/** Schemes that make a browser run, read or show something instead of calling an app. */
const DANGEROUS = new Set(
  'javascript data vbscript file blob about filesystem view-source ws wss ftp mailto tel'.split(' '),
);

/** Returns the problem of a redirect address, as an app may register it; undefined when it is valid. */
export function redirectUriProblem(uri: string, options: { customSchemes: boolean }): string | undefined {
  if (uri.length > LENGTH_MAX || !CHARACTERS.test(uri)) return 'is not an address';
  if (uri.includes('#')) return 'must not have a fragment';
  const web = WEB.exec(uri);
  if (web) return webProblem(web[1]?.toLowerCase() ?? '', web[2] ?? '', uri);
  const scheme = SCHEME.exec(uri)?.[1]?.toLowerCase();
  if (scheme === undefined || scheme === 'http' || scheme === 'https') return 'is not an address';
  if (!options.customSchemes) return 'must be https, or http on a loopback address';
  return DANGEROUS.has(scheme) || uri.length === scheme.length + 1 ? 'has a scheme that cannot be used' : undefined;
}

function webProblem(scheme: string, authority: string, uri: string): string | undefined {
  if (authority.includes('@')) return 'must not have a user name';
  if (!URL.canParse(uri) || authority.includes('*') || authority.includes('%')) return 'is not an address';
  if (scheme === 'https') return undefined;
  return LOOPBACK.test(authority) ? undefined : 'must be https, or http on a loopback address';
}

/** The part of the redirect URI on the consent page: the host, or the scheme of an app on the same machine. */
export function redirectHost(uri: string): string {
  const web = WEB.exec(uri);
  return web ? new URL(uri).host : `${SCHEME.exec(uri)?.[1] ?? ''}:`;
}
