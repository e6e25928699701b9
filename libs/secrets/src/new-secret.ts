import { randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** Every kind of secret we issue, by the prefix it is recognised by. The redaction of logs is made from this list. */
export const secretPrefixes = {
  apiKey: 'pk',
  accessToken: 'at',
  refreshToken: 'rt',
  authorizationCode: 'oc',
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
