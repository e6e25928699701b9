import { createHash } from 'node:crypto';
import { fromBinary } from '@bufbuild/protobuf';
import { type Broker, decodeEvent } from '@parley/events';
import { type CredentialRevoked, CredentialRevokedSchema } from '@parley/proto/identity/v1/credential_events_pb';
import { cache } from '@parley/queues';
import type { EmployeePrincipal } from '@parley/rpc';
import { LRUCache } from 'lru-cache';

/** Verifies a credential with identity; undefined when it is invalid. */
export type VerifyCredential = (credential: string) => Promise<EmployeePrincipal | undefined>;

/** A revocation takes effect everywhere within a second, even in a gateway that receives no events. */
const CACHE_MS = 1000;
const CACHE_SIZE = 10_000;
/** Credentials that were valid once are not limited while another client at their address guesses. */
const KNOWN_GOOD_SIZE = 100_000;

/** A credential or, with no id, everything an employee has. */
export interface Revocation {
  readonly credentialId: string;
  readonly employeeId: string;
}

/**
 * Drops a credential from this gateway's cache, or without an id all credentials of an employee. Called before a
 * revocation is confirmed, so that the credential is not accepted here after the confirmation. Other replicas are informed by an event.
 */
export type EvictCredential = (revoked: Revocation) => void;

/** The last results of identity for each credential. */
export interface VerifiedCredentials {
  /** True when the credential is cached or was recently valid. */
  isKnown(credential: string): boolean;
  verify(credential: string): Promise<EmployeePrincipal | undefined>;
  evict(revoked: Revocation): void;
  evictAll(): void;
}

/** Caches results for a short time, also negative ones; concurrent requests with one credential share one verification. */
export function cacheVerifications(ask: VerifyCredential, elapsedMs?: () => number): VerifiedCredentials {
  const verified = cache<EmployeePrincipal | undefined>({
    ageMaxMs: CACHE_MS,
    max: CACHE_SIZE,
    ...(elapsedMs && { elapsedMs }),
  });
  const knownGood = new LRUCache<string, true>({ max: KNOWN_GOOD_SIZE });

  async function verify(credential: string): Promise<EmployeePrincipal | undefined> {
    const principal = await ask(credential);
    if (principal) knownGood.set(digest(credential), true);
    else knownGood.delete(digest(credential));
    return principal;
  }

  return {
    isKnown: (credential) => verified.has(credential) || knownGood.has(digest(credential)),
    verify: (credential) => verified.get(credential, () => verify(credential)),
    evict: ({ credentialId, employeeId }) =>
      verified.deleteWhere(
        (principal) =>
          principal?.credentialId === credentialId || (credentialId === '' && principal?.employeeId === employeeId),
      ),
    evictAll: () => verified.clear(),
  };
}

/** Secrets are kept for longer than a moment only as what cannot be used. */
function digest(credential: string): string {
  return createHash('sha256').update(credential).digest('base64');
}

/** Drops credentials when identity publishes their revocation. Every replica subscribes separately; this is no shared consumer. */
export function evictRevoked(broker: Broker, credentials: VerifiedCredentials): void {
  broker.connection.subscribe(broker.eventPattern('identity.credential.revoked'), {
    callback: (error, message) => {
      if (error) return;
      const revoked = readRevocation(message.data);
      // Some credential was revoked, but it is unknown which.
      if (revoked) credentials.evict(revoked);
      else credentials.evictAll();
    },
  });
  broker.onReconnect(() => credentials.evictAll());
}

/** The revocation in a message of the broker; undefined for one that cannot be read: an error in a callback would end the connection. */
export function readRevocation(data: Uint8Array): CredentialRevoked | undefined {
  try {
    return fromBinary(CredentialRevokedSchema, decodeEvent(data).data);
  } catch {
    return undefined;
  }
}
