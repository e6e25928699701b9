import { createPublicKey, type KeyObject, verify } from 'node:crypto';

/** The accepted distance between the signing time of a callback and now. */
const TOLERANCE_MS = 5 * 60_000;
/** RFC 8410: the SPKI prefix of an Ed25519 public key of 32 bytes. */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** A public key as Telnyx's portal shows it: the 32 bytes in base64. */
export function readPublicKey(base64: string): KeyObject {
  const der = Buffer.concat([SPKI_PREFIX, Buffer.from(base64, 'base64')]);
  return createPublicKey({ key: der, format: 'der', type: 'spki' });
}

/** Ed25519 over `timestamp|raw body`; the timestamp is in seconds since 1970. */
export function isSignedBy(
  keys: readonly KeyObject[],
  { rawBody, signature, timestamp }: { rawBody: Uint8Array; signature: string; timestamp: string },
  now: Date,
): boolean {
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(Number(timestamp) * 1000 - now.getTime()) > TOLERANCE_MS) return false;
  const signed = Buffer.concat([Buffer.from(`${timestamp}|`), rawBody]);
  const bytes = Buffer.from(signature, 'base64');
  return keys.some((key) => verify(null, signed, key, bytes));
}
