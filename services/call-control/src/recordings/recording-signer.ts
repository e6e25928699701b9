import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** The parts of a signed address: whoever has it may read the audio until it expires, and nobody can forge one. */
export interface SignedRecording {
  readonly name: string;
  /** Seconds since 1970. */
  readonly expires: number;
  readonly signature: string;
}

export interface RecordingSigner {
  /** The address of a recording, for a while from `now`. */
  url(name: string, now: Date): string;
  verify(recording: SignedRecording, now: Date): boolean;
}

const VALID_SECS = 3600;
const SIGNATURE_BYTES = 24;

/** `key`: 32 bytes in base64; what is signed with is derived from it and used for nothing else. */
export function recordingSigner(key: string, publicUrl: string): RecordingSigner {
  const secret = Buffer.from(hkdfSync('sha256', Buffer.from(key, 'base64'), '', 'parley recordings', 32));
  const sign = (name: string, expires: number) =>
    createHmac('sha256', secret).update(`${name} ${expires}`).digest().subarray(0, SIGNATURE_BYTES);
  return {
    url(name, now) {
      const expires = Math.floor(now.getTime() / 1000) + VALID_SECS;
      return `${publicUrl}/media/recordings/${name}?expires=${expires}&sig=${sign(name, expires).toString('base64url')}`;
    },
    verify({ name, expires, signature }, now) {
      const given = Buffer.from(signature, 'base64url');
      if (!Number.isSafeInteger(expires) || expires * 1000 < now.getTime()) return false;
      return given.length === SIGNATURE_BYTES && timingSafeEqual(given, sign(name, expires));
    },
  };
}
