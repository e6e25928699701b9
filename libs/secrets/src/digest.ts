import { hash, timingSafeEqual } from 'node:crypto';

/**
 * The stored form of a token: SHA-256 in base64url. Right for secrets of 256
 * random bits, which cannot be guessed; passwords need a slow hash instead.
 */
export function digest(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

/** Compares two digests in constant time. */
export function digestsEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
