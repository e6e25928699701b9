import type { KeyObject } from 'node:crypto';
import { decided, Refused } from '@parley/errors';
import { type Encryptor, newSecret } from '@parley/secrets';
import type { Logger } from '@parley/telemetry';
import { LRUCache } from 'lru-cache';
import { signingKey } from '../deliveries/sign.ts';
import type { Subscriptions } from './subscription-store.ts';
import { type Subscription, signingSecrets } from './subscription.ts';

export type SigningSecrets = ReturnType<typeof openSigningSecrets>;

/** To read a key costs more than to sign with it, and busy subscriptions sign many times a second. */
const CACHED_MAX = 1_000;

/** Makes and reads the secrets that sign deliveries; the database only ever has them encrypted. */
export function openSigningSecrets({ encrypt, decrypt, isStale }: Encryptor) {
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
    /** A new secret of a subscription, to show once and to keep. */
    make(subscriptionId: string) {
      const secret = newSecret('webhookSigning', 'base64');
      return { secret, encrypted: encrypt(secret, context(subscriptionId)) };
    },
    /** The keys that sign a delivery made now, the current one first. */
    keys: (subscription: Subscription, now: Date): KeyObject[] =>
      signingSecrets(subscription, now).map((encrypted) => keyOf(encrypted, subscription.id)),
    /** The same secrets under the present key; the subscription itself when they are already. */
    renew(subscription: Subscription): Subscription {
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

/** Writes every secret under the present encryption key, so that a former one can be taken out of the settings. */
export async function renewSecrets(subscriptions: Subscriptions, secrets: SigningSecrets, log: Logger): Promise<void> {
  let renewed = 0;
  for await (const found of subscriptions.all()) {
    if (secrets.renew(found) === found) continue;
    try {
      await subscriptions.of(found.companyId).change(found.id, (current) => decided(secrets.renew(current)));
      renewed += 1;
    } catch (error) {
      if (!(error instanceof Refused)) throw error; // Deleted since it was found.
    }
  }
  if (renewed > 0) log.info({ renewed }, 'secrets renewed under the present encryption key');
}
