import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { connectError, EgressError, refusedAddress } from './egress-error.ts';
import { type EgressPolicy, readTarget, publicAddresses } from './target.ts';

/** Every address of a host name, both families. An empty list, or a rejection, means that it does not resolve. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

/** Two tries of this length per name server. */
const DNS_TRY_MS = 1_000;

/**
 * Opens sockets, and is the last to look at an address before there is one: a host name is resolved here, all of its
 * addresses are judged, and the socket is given exactly those. There is no second lookup, so DNS rebinding has no
 * effect.
 */
export function guardedConnect(
  policy: EgressPolicy,
  resolve: ResolveHost,
  connectTimeoutMs: number,
): buildConnector.connector {
  const isPublic = publicAddresses(policy.deniedNetworks);
  // HTTP/1.1 only: over HTTP/2 a receiver's sockets would no longer bound its share of the work.
  const common = { timeout: connectTimeoutMs, allowH2: false };
  // An allowed origin was named by the operator, so the machine's own lookup, hosts file included, is right for it.
  const openAllowed = buildConnector(common);
  const openPublic = buildConnector({ ...common, lookup: publicLookup(resolve, isPublic) });

  return (options, callback) => {
    const secure = options.protocol === 'https:';
    const done: buildConnector.Callback = (...result) =>
      result[0] ? callback(connectError(result[0], secure), null) : callback(...result);
    // `host` has the port and an IPv6 address's brackets, so this is the origin again.
    const target = readTarget(`${options.protocol}//${options.host}`, policy, isPublic);
    if (!target.ok) return done(refusedAddress(), null);
    (target.allowed ? openAllowed : openPublic)(options, done);
  };
}

/** A socket's lookup that returns all addresses of a name if every one of them is allowed, and none otherwise. */
export function publicLookup(resolve: ResolveHost, isPublic: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined) return callback(unresolved(), '');
        if (!addresses.every(isPublic)) return callback(refusedAddress(), '');
        const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
        if (options.all) return callback(null, found);
        return callback(null, first, first.includes(':') ? 6 : 4);
      },
      (cause: unknown) => callback(unresolved(cause), ''),
    );
  };
}

function unresolved(cause?: unknown): EgressError {
  return new EgressError('dns', 'the host name does not resolve', cause);
}

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
