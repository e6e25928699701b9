import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Global unicast, the only IPv6 block the internet routes (RFC 4291 section 2.4, IANA). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** NAT64's well-known prefix (RFC 6052): the last four bytes are the IPv4 address that is actually contacted. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** Looks public and is not: Azure answers its machines' metadata and agent requests here. */
const AZURE_PLATFORM = '168.63.129.16';

/**
 * Builds the question "may we connect to this address?". Yes only for a global unicast address that no special-purpose
 * registry entry covers and that lies in none of `deniedNetworks` (CIDR; for own networks on public addresses).
 * Every IPv4-in-IPv6 form is refused except NAT64's, which is as good as the IPv4 address inside it.
 */
export function publicAddresses(deniedNetworks: readonly string[] = []): (address: string) => boolean {
  const denied = deniedNetworks.map((network) => ipaddr.parseCIDR(network));

  function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
    if (denied.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits)))
      return false;
    if (address instanceof ipaddr.IPv4) {
      return address.range() === 'unicast' && address.toString() !== AZURE_PLATFORM;
    }
    if (address.match(NAT64)) return isPublic(new ipaddr.IPv4(address.toByteArray().slice(12)));
    return address.match(GLOBAL_UNICAST) && address.range() === 'unicast';
  }

  // isIP is strict where ipaddr.parse also reads `0x7f.1`; a zone (`%eth0`) names a link of this machine.
  return (address) => isIP(address) !== 0 && !address.includes('%') && isPublic(ipaddr.parse(address));
}

/** Exceptions from the rule that requests go to public https addresses only. */
export interface EgressPolicy {
  /** Origins that are reachable whatever their scheme and address, as `URL.origin` writes them: `http://127.0.0.1:8082`. */
  readonly allowedOrigins?: readonly string[];
  /** Networks (CIDR) that count as our own although their addresses are public ones. */
  readonly deniedNetworks?: readonly string[];
}

/** The problems of an address, with texts for the customer. */
export const urlProblems = {
  malformed: 'is not a valid URL',
  too_long: 'is too long (maximum is 2048 characters)',
  not_https: 'must be an https URL',
  has_credentials: 'must not contain a user name or password',
  bad_port: 'has a port that cannot be used',
  not_public: 'must be a public address',
} as const;

export type UrlProblem = keyof typeof urlProblems;

/** A parsed address; `literal` is the IP address it names instead of a host name. */
export type Target =
  | { readonly ok: true; readonly url: URL; readonly allowed: boolean; readonly literal: string | null }
  | { readonly ok: false; readonly problem: UrlProblem };

/** RFC 1035 section 2.3.4. */
const NAME_LENGTH_MAX = 253;

/** Letters, digits and hyphens, 63 at most; underscores are in use although no host name should have one. */
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** Names that by definition mean this machine or this network: RFC 6761, 6762, 8375, ICANN's `internal`, and habit. */
const OWN_NETWORK = ['localhost', 'local', 'internal', 'localdomain', 'home.arpa'];

const URL_LENGTH_MAX = 2048;

/** Characters that `URL` silently drops or turns into a slash, unlike other parsers of the same text. */
const DROPPED_OR_TURNED = /[\p{Cc} \\]/u;

/**
 * Reads an address without resolving anything. `URL` turns every spelling of an IPv4 address (octal, hexadecimal, short,
 * full-width digits) into the dotted one, so what is judged here is what is connected to.
 */
export function readTarget(text: unknown, policy: EgressPolicy, isPublic: (address: string) => boolean): Target {
  const no = (problem: UrlProblem): Target => ({ ok: false, problem });
  if (typeof text !== 'string') return no('malformed');
  if (text.length > URL_LENGTH_MAX) return no('too_long');
  if (DROPPED_OR_TURNED.test(text)) return no('malformed');
  const url = URL.parse(text);
  if (!url) return no('malformed');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return no('not_https');
  if (!/^https?:\/\/[^/]/i.test(text)) return no('malformed');
  if (url.username || url.password) return no('has_credentials');
  if (url.port === '0') return no('bad_port');
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const literal = isIP(host) ? host : null;
  if (policy.allowedOrigins?.includes(url.origin)) return { ok: true, url, allowed: true, literal };
  if (url.protocol !== 'https:') return no('not_https');
  if (literal ? !isPublic(literal) : !isPublicName(host)) return no('not_public');
  return { ok: true, url, allowed: false, literal };
}

/** `hostname` is in lower case and punycode, as `URL` normalizes it. */
function isPublicName(hostname: string): boolean {
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  const labels = name.split('.');
  return (
    name.length <= NAME_LENGTH_MAX &&
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    !OWN_NETWORK.some((own) => name === own || name.endsWith(`.${own}`))
  );
}
