import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';

export type SignedTokens = ReturnType<typeof signedTokens>;

const SIGNATURE_BYTES = 16;

/**
 * Signs what others return to us and must not forge, such as the position at the end of a page. It is not secret: whoever has a token can read it.
 *
 * Tokens are signed with a key that follows from the first of `keys` and from `purpose`: they are valid after a restart and
 * in other replicas, and a token for one purpose is not one for another. Those that were signed with another of the keys are valid as
 * well: while a key is replaced, a reader gets pages from replicas with the old key first and with the new one.
 */
export function signedTokens(secrets: readonly string[], purpose: string) {
  // Key objects, because Node.js takes longer to import the bytes of a key than to sign: a page may have one for each item.
  const keys = secrets.map((secret) =>
    createSecretKey(createHmac('sha256', Buffer.from(secret, 'base64')).update(purpose).digest()),
  );
  const [current] = keys;
  if (!current) throw new Error('without a key no token can be signed');
  const sign = (key: KeyObject, payload: string, scope: readonly unknown[]) =>
    createHmac('sha256', key)
      .update(JSON.stringify([payload, ...scope]))
      .digest()
      .subarray(0, SIGNATURE_BYTES)
      .toString('base64url');
  return {
    /** `scope`: what the token is bound to: company, endpoint, filters. */
    seal(content: unknown, scope: readonly unknown[]): string {
      const payload = Buffer.from(JSON.stringify(content)).toString('base64url');
      return `${payload}.${sign(current, payload, scope)}`;
    },
    /** The content, or undefined when the token is malformed or was made for something else. */
    open(token: string, scope: readonly unknown[]): unknown {
      const [payload = ''] = token.split('.');
      // Compared as text: decoding ignores padding and the last bits, so that several texts are one signature.
      const given = Buffer.from(token);
      const isSignedWith = (key: KeyObject) => {
        const expected = Buffer.from(`${payload}.${sign(key, payload, scope)}`);
        return given.length === expected.length && timingSafeEqual(given, expected);
      };
      if (!keys.some(isSignedWith)) return undefined;
      return JSON.parse(Buffer.from(payload, 'base64url').toString());
    },
  };
}
