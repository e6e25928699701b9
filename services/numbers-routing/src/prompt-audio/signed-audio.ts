import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** The parts of a signed address, which grants access to the audio and cannot be forged. */
export interface SignedAudio {
  /** The prompt's key. */
  readonly hash: string;
  /** When the address stops working, in seconds since 1970; 0 for never. */
  readonly expires: number;
  readonly signature: string;
}

export type AudioSigner = ReturnType<typeof audioSigner>;

const SIGNATURE_BYTES = 24;
const HASH = /^[0-9a-f]{64}$/;

/**
 * `keys`: each 32 bytes in base64; what is signed with is derived from them and used for nothing else. The first signs;
 * signatures of all of them are accepted.
 */
export function audioSigner(keys: readonly string[], publicUrl: string) {
  const secrets = keys.map((key) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(key, 'base64'), '', 'parley prompt audio', 32)),
  );
  const [current] = secrets;
  if (!current) throw new Error('an audio signer needs at least one key');
  const sign = (text: string, secret = current) =>
    createHmac('sha256', secret).update(text).digest().subarray(0, SIGNATURE_BYTES);
  const signature = (hash: string, expires: number, secret = current) => sign(`audio ${hash} ${expires}`, secret);
  const url = (hash: string, expires: number) => {
    const until = expires === 0 ? '' : `expires=${expires}&`;
    return `${publicUrl}/media/prompts/${hash}?${until}sig=${signature(hash, expires).toString('base64url')}`;
  };
  return {
    /** The address of a prompt's audio: always the same, so that it can be cached. */
    promptUrl: (hash: string) => url(hash, 0),
    /** The address of a preview's audio, until it expires, and the name of the preview. */
    preview(hash: string, previewId: string, expiresAt: Date): { audioUrl: string; signedId: string } {
      const expires = Math.floor(expiresAt.getTime() / 1000);
      const payload = Buffer.from(JSON.stringify([previewId, hash, expires])).toString('base64url');
      const signedId = `${payload}.${sign(`preview ${payload}`).toString('base64url')}`;
      return { audioUrl: url(hash, expires), signedId };
    },
    /** Accepts an address with our signature that has not expired. */
    verify({ hash, expires, signature: given }: SignedAudio, now: Date): boolean {
      if (!HASH.test(hash) || !Number.isSafeInteger(expires) || expires < 0) return false;
      const bytes = Buffer.from(given, 'base64url');
      if (bytes.length !== SIGNATURE_BYTES) return false;
      if (!secrets.some((secret) => timingSafeEqual(bytes, signature(hash, expires, secret)))) return false;
      return expires === 0 || expires * 1000 > now.getTime();
    },
  };
}
