import { createHmac, hkdfSync } from 'node:crypto';
import type { Encryptor } from '@parley/secrets';
import { type CallNotes, sameTag, type StoredNotes } from './call-notes.ts';

/** Notes as the database has them: encrypted, and tags as keyed hashes that can be found and not read. */
export interface NoteStorage extends StoredNotes {
  /** Every form in which the index may have a tag: under each key. */
  soughtTagKeys(companyId: string, tag: string): string[];
}

export const notesContext = (callId: string) => `call/${callId}/notes`;

const HASH_BYTES = 12;
const NONE: CallNotes = { note: null, tags: [] };

/** `keys`: 32 bytes in base64 each; what is hashed with is derived from them. The first one writes. */
export function noteStorage(
  { encrypt, decrypt }: Pick<Encryptor, 'encrypt' | 'decrypt'>,
  keys: readonly string[],
): NoteStorage {
  const secrets = keys.map((key) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(key, 'base64'), '', 'parley call tags', 32)),
  );
  const [first] = secrets;
  if (!first) throw new Error('without a key no tag can be stored');
  /** The hash includes the company, so that the same tag of two companies looks different. */
  const hash = (secret: Buffer, companyId: string, tag: string) =>
    createHmac('sha256', secret)
      .update(`${companyId} ${sameTag(tag)}`)
      .digest()
      .subarray(0, HASH_BYTES)
      .toString('base64url');
  return {
    open: ({ id, sealedNotes }) =>
      sealedNotes ? (JSON.parse(decrypt(sealedNotes, notesContext(id))) as CallNotes) : NONE,
    seal: (id, notes) => encrypt(JSON.stringify(notes), notesContext(id)),
    tagKey: (companyId, tag) => hash(first, companyId, tag),
    soughtTagKeys: (companyId, tag) => secrets.map((secret) => hash(secret, companyId, tag)),
  };
}
