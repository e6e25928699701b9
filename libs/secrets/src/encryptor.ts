import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  type KeyObject,
  randomBytes,
  createSecretKey,
  hkdfSync,
} from 'node:crypto';

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

export type Encryptor = ReturnType<typeof encryptor>;

const VERSION = 'v1';
/** NIST SP 800-38D section 8.2: random nonces of 96 bits are safe for 2^32 texts under one key. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts what must not be readable in a database, and reads it back.
 *
 * AES-256-GCM under the first of `keys` (each 32 bytes in base64); the others only decrypt. To rotate, put the new key in
 * front and take the old one out when nothing is stale any more.
 */
export function encryptor(keys: string | readonly string[]) {
  const ring = readKeys(keys);
  const [current] = ring;
  if (!current) throw new Error('an encryptor needs at least one key');
  const nonceKey = createHmac('sha256', current.key).update('parley nonces').digest();
  const byId = new Map(ring.map((key) => [key.id, key]));

  const sealWith = (nonce: Buffer, text: string, context: string): string => {
    const cipher = createCipheriv('aes-256-gcm', current.key, nonce).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `${VERSION}.${current.id}.${sealed.toString('base64url')}`;
  };

  return {
    /** `context` binds the text to its location (`webhook/whk_7/secret`): it is not stored and is required for decryption. */
    encrypt: (text: string, context: string) => sealWith(randomBytes(NONCE_BYTES), text, context),
    /**
     * The same, but the same text in the same context is always the same while the key is: for what is compared in its
     * stored form. A reader of the database learns only whether the text of one context has changed.
     */
    encryptRepeatably(text: string, context: string): string {
      // The nonce follows from all that is encrypted, so two texts share one only by a collision of 96 bits.
      const mac = createHmac('sha256', nonceKey)
        .update(JSON.stringify([context, text]))
        .digest();
      return sealWith(mac.subarray(0, NONCE_BYTES), text, context);
    },
    /** Throws if the text was changed, belongs to another context, or was encrypted with an unavailable key. */
    decrypt(encrypted: string, context: string): string {
      const [version, id = '', sealed = ''] = encrypted.split('.');
      if (version !== VERSION) throw new Error('not an encrypted text');
      const { key } = byId.get(id) ?? {};
      if (!key) throw new Error(`encrypted with key ${id}, which is not configured`);
      return open(Buffer.from(sealed, 'base64url'), key, context);
    },
    /** True when the text was encrypted with an older key, so that its next write should encrypt it anew. */
    isStale: (encrypted: string) => encrypted.split('.')[1] !== current.id,
  };
}

function open(sealed: Buffer, key: KeyObject, context: string): string {
  try {
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(context))
      .setAuthTag(sealed.subarray(-TAG_BYTES));
    // Bytes first: a cipher's own decoder takes many times as long.
    const text = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    return text.toString('utf8');
  } catch (cause) {
    throw new Error('the encrypted text was changed or belongs elsewhere', { cause });
  }
}
