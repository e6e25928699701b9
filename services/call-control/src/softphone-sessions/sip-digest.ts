import { createHash, timingSafeEqual } from 'node:crypto';

/** The parameters of a digest response (RFC 3261 section 22.4, RFC 2617 section 3.2.2) as the switch passes them on. */
export interface DigestParameters {
  readonly method: string;
  readonly uri: string;
  readonly nonce: string;
  readonly response: string;
  /** Absent in responses of RFC 2069. */
  readonly qop?: { readonly name: 'auth'; readonly cnonce: string; readonly nonceCount: string };
}

/** H(A1). It is equivalent to the password: it is sufficient to register. */
export function a1Hash(username: string, realm: string, password: string): string {
  return md5(`${username}:${realm}:${password}`);
}

/** The response to a challenge. */
export function digestResponse(a1: string, { method, uri, nonce, qop }: Omit<DigestParameters, 'response'>): string {
  const a2 = md5(`${method}:${uri}`);
  return qop ? md5(`${a1}:${nonce}:${qop.nonceCount}:${qop.cnonce}:${qop.name}:${a2}`) : md5(`${a1}:${nonce}:${a2}`);
}

/** Verifies that the response was computed with the password behind H(A1). */
export function matchesDigest(a1: string, { response, ...challenge }: DigestParameters): boolean {
  const expected = digestResponse(a1, challenge);
  const [left, right] = [Buffer.from(expected), Buffer.from(response.toLowerCase())];
  return left.length === right.length && timingSafeEqual(left, right);
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
