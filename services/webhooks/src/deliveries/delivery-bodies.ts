import type { Encryptor } from '@parley/secrets';

/** Bodies contain personal data: they are encrypted in the database. */
export interface DeliveryBodies {
  seal(body: string, deliveryId: string): string;
  open(sealed: string, deliveryId: string): string;
}

export function deliveryBodies({ encrypt, decrypt }: Pick<Encryptor, 'encrypt' | 'decrypt'>): DeliveryBodies {
  const context = (deliveryId: string) => `delivery/${deliveryId}/body`;
  return {
    seal: (body, deliveryId) => encrypt(body, context(deliveryId)),
    open: (sealed, deliveryId) => decrypt(sealed, context(deliveryId)),
  };
}
