/** RFC 1035 section 2.3.4. */
const NAME_LENGTH_MAX = 253;

/** Letters, digits and hyphens, 63 at most; underscores are in use although no host name should have one. */
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** Names that by definition mean this machine or this network: RFC 6761, 6762, 8375, ICANN's `internal`, and habit. */
const OWN_NETWORK = ['localhost', 'local', 'internal', 'localdomain', 'home.arpa'];

/** `hostname` is in lower case and punycode, as `URL` normalizes it. */
export function isPublicName(hostname: string): boolean {
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  const labels = name.split('.');
  return (
    name.length <= NAME_LENGTH_MAX &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    !OWN_NETWORK.some((own) => name === own || name.endsWith(`.${own}`))
  );
}
