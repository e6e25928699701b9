import { type Encryptor, newSecret } from '@parley/secrets';
import { LRUCache } from 'lru-cache';
import { type Subscription, signingSecrets } from './subscription.ts';

/** Makes and reads the secrets that sign deliveries; the database only ever has them encrypted. */
export interface SigningSecrets {
  /** A new secret of a subscription, to show once and to keep. */
  make(subscriptionId: string): { secret: string; encrypted: string };
  /** The secrets that sign a delivery made now, the current one first. */
  read(subscription: Subscription, now: Date): string[];
  /** The same secrets under the present key; the subscription itself when they are already. */
  renew(subscription: Subscription): Subscription;
}

/** Reading a secret costs as much as signing with it, and busy subscriptions sign many times a second. */
const CACHED_MAX = 1_000;

export function openSigningSecrets({ encrypt, decrypt, isStale }: Encryptor): SigningSecrets {
  const context = (subscriptionId: string) => `webhook/${subscriptionId}/secret`;
  const decrypted = new LRUCache<string, string>({ max: CACHED_MAX });

  function read(encrypted: string, subscriptionId: string): string {
    // The subscription is part of the key: a ciphertext copied to another one must not open there.
    const key = `${subscriptionId} ${encrypted}`;
    const known = decrypted.get(key);
    if (known !== undefined) return known;
    const secret = decrypt(encrypted, context(subscriptionId));
    decrypted.set(key, secret);
    return secret;
  }

  return {
    make(subscriptionId) {
      const secret = newSecret('webhookSigning', 'base64');
      return { secret, encrypted: encrypt(secret, context(subscriptionId)) };
    },
    read: (subscription, now) => signingSecrets(subscription, now).map((encrypted) => read(encrypted, subscription.id)),
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
