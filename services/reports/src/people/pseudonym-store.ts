import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { decided } from '@parley/errors';
import type { Encryptor } from '@parley/secrets';
import { openDocuments } from '@parley/aggregates';
import { LRUCache } from 'lru-cache';
import type { Db } from 'mongodb';

/** Pseudonyms of people: texts with one person are recognised as such without storing the phone number. */
export interface Pseudonyms {
  /** Resolves with the function that maps phone numbers to the company's pseudonyms. */
  of(companyId: string): Promise<(phone: string) => string | undefined>;
}

interface CompanySalt {
  readonly id: string;
  readonly companyId: string;
  /** Encrypted: with the salt alone, all phone numbers could be tried. It outlives a change of the encryption key. */
  readonly sealed: string;
}

const SALT_BYTES = 32;
const COMPANIES = 10_000;

export const saltContext = (companyId: string) => `person_salts/${companyId}`;

export async function openPseudonyms(db: Db, encryptor: Encryptor): Promise<Pseudonyms> {
  const salts = await openDocuments<CompanySalt>({ db, collection: 'person_salts', indexes: [] });

  async function read(companyId: string): Promise<KeyObject> {
    const { sealed } = await salts.of(companyId).upsert<CompanySalt>(companyId, (current) => {
      if (current && !encryptor.isStale(current.sealed)) return decided(current);
      const salt = current
        ? encryptor.decrypt(current.sealed, saltContext(companyId))
        : randomBytes(SALT_BYTES).toString('base64');
      return decided({ id: companyId, companyId, sealed: encryptor.encrypt(salt, saltContext(companyId)) });
    });
    return createSecretKey(encryptor.decrypt(sealed, saltContext(companyId)), 'base64');
  }

  const known = new LRUCache<string, KeyObject>({ max: COMPANIES });
  return {
    async of(companyId) {
      const salt = known.get(companyId) ?? (await read(companyId));
      known.set(companyId, salt);
      // "anonymous" and "erased" are nobody.
      return (phone) =>
        phone.startsWith('+') ? createHmac('sha256', salt).update(phone).digest('base64url').slice(0, 22) : undefined;
    },
  };
}
