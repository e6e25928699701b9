import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/** An encryption key and what it is recognised by. */
export interface Key {
  /** Eight characters. It follows from the key, so it does not depend on the order of a list, and reveals nothing about it. */
  readonly id: string;
  readonly key: KeyObject;
}

const KEY_BYTES = 32;

/** Keys of 32 bytes in base64. */
export function readKeys(keys: string | readonly string[]): Key[] {
  return [keys].flat().map(readKey);
}

/** A key object, because Node.js takes longer to import the bytes of a key than to encrypt a short text. */
function readKey(base64: string): Key {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length !== KEY_BYTES) throw new Error(`an encryption key must be ${KEY_BYTES} bytes in base64`);
  const key = createSecretKey(bytes);
  return { id: createHmac('sha256', key).update('parley key id').digest('base64url').slice(0, 8), key };
}

/** What is derived from a key of 32 bytes in base64 for one purpose, and used for nothing else. */
export function derivedKey(base64: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(base64, 'base64'), '', purpose, KEY_BYTES));
}
