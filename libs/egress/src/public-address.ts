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
