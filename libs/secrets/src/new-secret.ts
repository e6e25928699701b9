import { randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/**
 * A new secret of 256 random bits behind a prefix that says what it is: `pk_…`. Base64url, so that it needs no escaping
 * anywhere; `base64` for secrets whose format says so (Standard Webhooks' `whsec_…`).
 */
export function newSecret(prefix: string, encoding: 'base64url' | 'base64' = 'base64url'): string {
  return `${prefix}_${randomBytes(SECRET_BYTES).toString(encoding)}`;
}
