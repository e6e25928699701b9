import type { KeyObject } from 'node:crypto';
import { type Encryptor, newSecret } from '@parley/secrets';
import { LRUCache } from 'lru-cache';
import { signingKey } from '../deliveries/sign.ts';
import { type Subscription, signingSecrets } from './subscription.ts';

/** Makes and reads the secrets that sign deliveries; the database only ever has them encrypted. */
export interface SigningSecrets {
  /** A new secret of a subscription, to show once and to keep. */
  make(subscriptionId: string): { secret: string; encrypted: string };
  /** The keys that sign a delivery made now, the current one first. */
  keys(subscription: Subscription, now: Date): KeyObject[];
  /** The same secrets under the present key; the subscription itself when they are already. */
  renew(subscription: Subscription): Subscription;
}

/** To read a key costs more than to sign with it, and busy subscriptions sign many times a second. */
const CACHED_MAX = 1_000;

export function openSigningSecrets({ encrypt, decrypt, isStale }: Encryptor): SigningSecrets {
  const context = (subscriptionId: string) => `webhook/${subscriptionId}/secret`;
  const known = new LRUCache<string, KeyObject>({ max: CACHED_MAX });

  function keyOf(encrypted: string, subscriptionId: string): KeyObject {
    // The subscription is part of the name: a ciphertext copied to another one must not open there.
    const name = `${subscriptionId} ${encrypted}`;
    const key = known.get(name) ?? signingKey(decrypt(encrypted, context(subscriptionId)));
    known.set(name, key);
    return key;
  }

  return {
    make(subscriptionId) {
      const secret = newSecret('webhookSigning', 'base64');
      return { secret, encrypted: encrypt(secret, context(subscriptionId)) };
    },
    keys: (subscription, now) =>
      signingSecrets(subscription, now).map((encrypted) => keyOf(encrypted, subscription.id)),
    renew(subscription) {
      if (!subscription.secrets.some(({ encrypted }) => isStale(encrypted))) return subscription;
      const where = context(subscription.id);
      const secrets = subscription.secrets.map(({ encrypted, signsUntil }) => ({
        encrypted: encrypt(decrypt(encrypted, where), where),
        signsUntil,
      }));
      return { ...subscription, secrets };
    },
  };
}
