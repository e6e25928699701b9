import { Resolver } from 'node:dns/promises';

/** Every address of a host name, both families. An empty list, or a rejection, means that it does not resolve. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

/** Two tries of this length per name server. */
const DNS_TRY_MS = 1_000;

/**
 * Queries the name servers directly. `dns.lookup` would wait in the four threads that all file access shares, so a few
 * receivers with an unresponsive name server could block everything; it would also read the hosts file and search domains,
 * where our own network's names are.
 */
export function nameServerResolver(): ResolveHost {
  const resolver = new Resolver({ timeout: DNS_TRY_MS, tries: 2 });
  return async (hostname) => {
    const families = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
  };
}
