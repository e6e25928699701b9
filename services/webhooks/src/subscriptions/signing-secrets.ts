import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { type Encryptor, newSecret, secretPrefixes } from '@parley/secrets';
import { LRUCache } from 'lru-cache';
import { signingSecrets, type Subscription } from './subscription.ts';

export type SigningSecrets = ReturnType<typeof openSigningSecrets>;

/** To read a key costs more than to sign with it, and busy subscriptions sign many times a second. */
const CACHED_MAX = 1_000;

export const secretContext = (subscriptionId: string) => `webhook/${subscriptionId}/secret`;

/** Makes and reads the secrets that sign deliveries; the database only ever has them encrypted. */
export function openSigningSecrets({ encrypt, decrypt }: Pick<Encryptor, 'encrypt' | 'decrypt'>) {
  const known = new LRUCache<string, KeyObject>({ max: CACHED_MAX });

  function keyOf(encrypted: string, subscriptionId: string): KeyObject {
    // The subscription is part of the name: a ciphertext copied to another one must not open there.
    const name = `${subscriptionId} ${encrypted}`;
    const key = known.get(name) ?? signingKey(decrypt(encrypted, secretContext(subscriptionId)));
    known.set(name, key);
    return key;
  }

  return {
    /** A new secret of a subscription, to show once and to keep. */
    make(subscriptionId: string) {
      const secret = newSecret('webhookSigning', 'base64');
      return { secret, encrypted: encrypt(secret, secretContext(subscriptionId)) };
    },
    /** The keys that sign a delivery made now, the current one first. */
    keys: (subscription: Subscription, now: Date): KeyObject[] =>
      signingSecrets(subscription, now).map((encrypted) => keyOf(encrypted, subscription.id)),
  };
}

/** Standard Webhooks defines that the key follows it in base64. */
const SECRET_PREFIX = `${secretPrefixes.webhookSigning}_`;

/** The headers that prove where a delivery comes from, as Standard Webhooks names them. */
interface SignatureHeaders {
  readonly 'webhook-id': string;
  readonly 'webhook-timestamp': string;
  readonly 'webhook-signature': string;
}

/** The key in a secret (`whsec_…`). To sign with it costs a fraction of what it costs with its bytes. */
export function signingKey(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'));
}

/**
 * Signs a body with each of `keys`. `at` is the machine's time of this attempt, also where the product's
 * clock was moved: receivers compare it with their own watch and refuse what is five minutes off.
 */
export function signatureHeaders(id: string, body: string, keys: readonly KeyObject[], at: Date): SignatureHeaders {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signed = `${id}.${timestamp}.${body}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`).join(' '),
  };
}
