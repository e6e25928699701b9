import type { EmployeePrincipal } from '@parley/rpc';
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** The parts of a signed address, which grants access to the audio until it expires and cannot be forged. */
export interface SignedRecording {
  readonly name: string;
  /** Seconds since 1970. */
  readonly expires: number;
  readonly signature: string;
  /** The credential it was given to. */
  readonly givenTo: string;
}

export interface RecordingSigner {
  /**
   * The address of a recording for a credential, for an hour from `now` or for `validSecs`; the gateway makes sure that it ends
   * with the credential. A webhook has none.
   */
  url(
    name: string,
    givenTo: Pick<EmployeePrincipal, 'credentialType' | 'credentialId'> | 'webhook',
    now: Date,
    validSecs?: number,
  ): string;
  verify(recording: SignedRecording, now: Date): boolean;
}

const VALID_SECS = 3600;
const SIGNATURE_BYTES = 24;

/**
 * `keys`: 32 bytes in base64 each; what is signed with is derived from them and used for nothing else. The first one
 * signs; addresses that were signed with another one are valid as well, while a key is replaced.
 */
export function recordingSigner(keys: readonly string[], publicUrl: string): RecordingSigner {
  const [secret, ...others] = keys.map((key) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(key, 'base64'), '', 'parley recordings', 32)),
  );
  if (!secret) throw new Error('without a key no address can be signed');
  const signature = (by: Buffer, name: string, expires: number, givenTo: string) =>
    createHmac('sha256', by).update(`${name} ${expires} ${givenTo}`).digest().subarray(0, SIGNATURE_BYTES);
  return {
    url(name, holder, now, validSecs = VALID_SECS) {
      const expires = Math.floor(now.getTime() / 1000) + validSecs;
      const givenTo = holder === 'webhook' ? holder : `${holder.credentialType}.${holder.credentialId}`;
      const sig = signature(secret, name, expires, givenTo).toString('base64url');
      return `${publicUrl}/media/recordings/${name}?${new URLSearchParams({ expires: `${expires}`, for: givenTo, sig })}`;
    },
    verify({ name, expires, signature: written, givenTo }, now) {
      const given = Buffer.from(written, 'base64url');
      if (!Number.isSafeInteger(expires) || expires * 1000 < now.getTime()) return false;
      if (given.length !== SIGNATURE_BYTES) return false;
      return [secret, ...others].some((by) => timingSafeEqual(given, signature(by, name, expires, givenTo)));
    },
  };
}
