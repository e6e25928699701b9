import ipaddr from 'ipaddr.js';

/**
 * The key of limits by address: an IPv4 address, or the /64 network of an IPv6 one, which is the smallest that a customer gets and
 * has too many addresses to limit individually.
 */
export function addressKey(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
