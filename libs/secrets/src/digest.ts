import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * What a database keeps of a token it must recognise and must not know: SHA-256 in base64url. Right for secrets of 256
 * random bits, where there is nothing to guess; passwords need a slow hash instead.
 */
export function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Compares two digests in a time that says nothing about where they differ. */
export function digestsEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
