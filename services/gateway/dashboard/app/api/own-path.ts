/**
 * The path of a file or page that our own server serves, such as audio. The page may have been opened by another name of the
 * server than the one in the address, and the policy of the page allows its own origin only.
 */
export function ownPath(address: string): string {
  const { pathname, search, hash } = new URL(address, 'http://own.invalid');
  return pathname + search + hash;
}
