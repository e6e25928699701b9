import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { derivedKey } from './encryptor.ts';

/** The parts of a signed address, which grants access to what it names until it expires and cannot be forged. */
export interface SignedAddress {
  readonly name: string;
  /** Seconds since 1970. */
  readonly expires: number;
  /** Base64url; begins with random bytes, so that every address is another one. */
  readonly signature: string;
  /** The credential it was given to. */
  readonly givenTo: string;
}

/** The credential that an address is given to; a webhook has none. */
export type AddressHolder = { readonly credentialType: string; readonly credentialId: string } | 'webhook';

export type AddressSigner = ReturnType<typeof addressSigner>;

const VALID_SECS = 3600;
const NONCE_BYTES = 9;
const SIGNATURE_BYTES = 24;

/**
 * `keys`: 32 bytes in base64 each; what is signed with is derived from them for this purpose and used for nothing else. The
 * first one signs; addresses that were signed with another one are valid as well, while a key is replaced.
 */
export function addressSigner(keys: readonly string[], purpose: string) {
  const [secret, ...others] = keys.map((key) => derivedKey(key, purpose));
  if (!secret) throw new Error('without a key no address can be signed');
  const signature = (by: Buffer, nonce: Buffer, name: string, expires: number, givenTo: string) => {
    const signed = createHmac('sha256', by).update(nonce).update(`${name} ${expires} ${givenTo}`).digest();
    return Buffer.concat([nonce, signed.subarray(0, SIGNATURE_BYTES)]);
  };
  return {
    /** Valid for an hour from `now`, or for `validSecs`. The gateway makes sure that it ends with the credential. */
    sign(name: string, holder: AddressHolder, now: Date, validSecs = VALID_SECS): SignedAddress {
      const expires = Math.floor(now.getTime() / 1000) + validSecs;
      const givenTo = holder === 'webhook' ? holder : `${holder.credentialType}.${holder.credentialId}`;
      const signed = signature(secret, randomBytes(NONCE_BYTES), name, expires, givenTo);
      return { name, expires, givenTo, signature: signed.toString('base64url') };
    },
    verify({ name, expires, signature: written, givenTo }: SignedAddress, now: Date): boolean {
      const given = Buffer.from(written, 'base64url');
      if (!Number.isSafeInteger(expires) || expires * 1000 < now.getTime()) return false;
      // Decoding ignores characters that do not belong to it.
      if (given.length !== NONCE_BYTES + SIGNATURE_BYTES || given.toString('base64url') !== written) return false;
      const nonce = given.subarray(0, NONCE_BYTES);
      return [secret, ...others].some((by) => timingSafeEqual(given, signature(by, nonce, name, expires, givenTo)));
    },
  };
}
