import { buildConnector } from 'undici';
import { connectError, refusedAddress } from './egress-error.ts';
import { publicAddresses } from './public-address.ts';
import { publicLookup } from './public-lookup.ts';
import type { ResolveHost } from './resolve-host.ts';
import { type EgressPolicy, readTarget } from './target.ts';

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
