import { type Encryptor, newSecret } from '@parley/secrets';
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

export function openSigningSecrets({ encrypt, decrypt, isStale }: Encryptor): SigningSecrets {
  const context = (subscriptionId: string) => `webhook/${subscriptionId}/secret`;
  return {
    make(subscriptionId) {
      const secret = newSecret('whsec', 'base64');
      return { secret, encrypted: encrypt(secret, context(subscriptionId)) };
    },
    read: (subscription, now) =>
      signingSecrets(subscription, now).map((encrypted) => decrypt(encrypted, context(subscription.id))),
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
