import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/**
 * Words as the index stores them: a keyed hash, so that the database finds a word without containing it. The hash is
 * of the company too: the same word of two companies looks different.
 */
export interface SearchWordKeys {
  stored(companyId: string, word: string): string;
  /** Every form that the word may be stored in: under each key, and as it was stored before there were keys. */
  sought(companyId: string, word: string): string[];
}

const HASH_BYTES = 12;
/** No word begins with it. */
const HASHED = '#';

/** `keys`: 32 bytes in base64 each; what is hashed with is derived from them. The first one writes. */
export function searchWordKeys(keys: readonly string[]): SearchWordKeys {
  // Bytes would be made into a key object for each word, which takes longer than the hash.
  const secrets = keys.map((key) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', Buffer.from(key, 'base64'), '', 'parley search words', 32))),
  );
  const [first] = secrets;
  if (!first) throw new Error('without a key no word can be stored');
  const hash = (secret: KeyObject, companyId: string, word: string) =>
    HASHED +
    createHmac('sha256', secret).update(`${companyId} ${word}`).digest().subarray(0, HASH_BYTES).toString('base64url');
  return {
    stored: (companyId, word) => hash(first, companyId, word),
    sought: (companyId, word) => [...secrets.map((secret) => hash(secret, companyId, word)), word],
  };
}
