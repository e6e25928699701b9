import type { LookupFunction } from 'node:net';
import { EgressError, refusedAddress } from './egress-error.ts';
import type { ResolveHost } from './resolve-host.ts';

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
