import { randomBytes, hash, timingSafeEqual } from 'node:crypto';

const SECRET_BYTES = 32;

/** Every kind of secret we issue, by the prefix it is recognised by. The redaction of logs is made from this list. */
export const secretPrefixes = {
  apiKey: 'pk',
  accessToken: 'at',
  refreshToken: 'rt',
  authorizationCode: 'oc',
  deviceCode: 'dc',
  signInSession: 'ss',
  knownBrowser: 'dev',
  invitation: 'it',
  passwordReset: 'pr',
  emailConfirmation: 'ec',
  webhookSigning: 'whsec',
  operatorToken: 'op',
  softphone: 'sp',
} as const;

export type SecretKind = keyof typeof secretPrefixes;

/**
 * A new secret of 256 random bits behind the prefix of its kind: `pk_…`. Base64url, so that it needs no escaping
 * anywhere; `base64` for secrets whose format requires it (Standard Webhooks' `whsec_…`).
 */
export function newSecret(kind: SecretKind, encoding: 'base64url' | 'base64' = 'base64url'): string {
  return `${secretPrefixes[kind]}_${randomBytes(SECRET_BYTES).toString(encoding)}`;
}

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
