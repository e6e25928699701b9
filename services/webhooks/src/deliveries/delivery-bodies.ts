import type { Encryptor } from '@parley/secrets';

/** What is sent holds what people said and who they are: the database only ever has it encrypted. */
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
