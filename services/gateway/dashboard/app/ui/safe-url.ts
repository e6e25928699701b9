/** Accepts an external address as a link or source: https, or our own origin. Never a script. */
export function isSafeUrl(url: string): boolean {
  if (!URL.canParse(url, location.href)) return false;
  const { protocol, origin } = new URL(url, location.href);
  return protocol === 'https:' || origin === location.origin;
}
