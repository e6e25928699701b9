import { createHash } from 'node:crypto';
import type { Broker } from '@parley/events';
import type { EmployeePrincipal } from '@parley/rpc';
import { LRUCache } from 'lru-cache';
import { readRevocation } from './read-revocation.ts';

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

/** The last results of identity for each credential. */
export interface VerifiedCredentials {
  /** True when the credential is cached or was recently valid. */
  isKnown(credential: string): boolean;
  verify(credential: string): Promise<EmployeePrincipal | undefined>;
  evict(revoked: Revocation): void;
  evictAll(): void;
}

interface Verification {
  readonly answer: Promise<EmployeePrincipal | undefined>;
  /** A credential was revoked during the verification: its result may be outdated and is not cached. */
  outdated: boolean;
}

/** Caches results for a short time, also negative ones; concurrent requests with one credential share one verification. */
export function cacheVerifications(
  ask: VerifyCredential,
  now: () => number = () => performance.now(),
): VerifiedCredentials {
  const options = { max: CACHE_SIZE, ttl: CACHE_MS, ttlResolution: 0, perf: { now } };
  const verified = new LRUCache<string, { principal: EmployeePrincipal | undefined }>(options);
  const knownGood = new LRUCache<string, true>({ max: KNOWN_GOOD_SIZE });
  const pending = new Map<string, Verification>();

  async function verifyOnce(credential: string): Promise<EmployeePrincipal | undefined> {
    const verification: Verification = { answer: ask(credential), outdated: false };
    pending.set(credential, verification);
    try {
      const principal = await verification.answer;
      if (!verification.outdated) verified.set(credential, { principal });
      if (principal) knownGood.set(digest(credential), true);
      else knownGood.delete(digest(credential));
      return principal;
    } finally {
      if (pending.get(credential) === verification) pending.delete(credential);
    }
  }

  return {
    isKnown: (credential) => verified.has(credential) || pending.has(credential) || knownGood.has(digest(credential)),
    async verify(credential) {
      const known = verified.get(credential);
      if (known) return known.principal;
      const inProgress = pending.get(credential);
      return inProgress && !inProgress.outdated ? inProgress.answer : verifyOnce(credential);
    },
    evict({ credentialId, employeeId }) {
      for (const verification of pending.values()) verification.outdated = true;
      for (const [credential, { principal }] of verified.entries()) {
        if (principal?.credentialId === credentialId || (credentialId === '' && principal?.employeeId === employeeId))
          verified.delete(credential);
      }
    },
    evictAll() {
      for (const verification of pending.values()) verification.outdated = true;
      verified.clear();
    },
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
