import { randomBytes } from 'node:crypto';
import { digest, newSecret, secretPrefixes } from '@parley/secrets';

const FAMILY_BYTES = 16;
const SECRET_BYTES = 32;
const REFRESH_TOKEN = /^rt_([A-Za-z0-9_-]{64})$/;

/** An access and a refresh token as the app gets them. */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** A refresh token as it was sent, taken apart. */
export interface SentRefreshToken {
  /** Finds the grant. */
  readonly familyDigest: string;
  readonly digest: string;
  readonly family: Buffer;
}

/** The first pair of a grant. */
export function firstTokens(): TokenPair {
  return newTokens(randomBytes(FAMILY_BYTES));
}

/** The pair that a refresh token is rotated to: of the same family, and otherwise new. */
export function nextTokens({ family }: SentRefreshToken): TokenPair {
  return newTokens(family);
}

/** Undefined for a value that cannot be one of our refresh tokens. */
export function readRefreshToken(token: string): SentRefreshToken | undefined {
  const [, body] = REFRESH_TOKEN.exec(token) ?? [];
  if (body === undefined) return undefined;
  const family = Buffer.from(body, 'base64url').subarray(0, FAMILY_BYTES);
  return { familyDigest: digest(family.toString('base64url')), digest: digest(token), family };
}

function newTokens(family: Buffer): TokenPair {
  const body = Buffer.concat([family, randomBytes(SECRET_BYTES)]).toString('base64url');
  return { accessToken: newSecret('accessToken'), refreshToken: `${secretPrefixes.refreshToken}_${body}` };
}
