import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
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
  readonly token: string;
}

/** Makes tokens. `keyMaterial` is this service's secret; without it a rotation's answer cannot be made again. */
export interface TokenMint {
  /** The first pair of a grant. */
  first(): TokenPair;
  newSalt(): string;
  /**
   * The pair that a refresh token is rotated to. It follows from the token, the rotation's salt and the key: whoever
   * serves a request that overlaps the rotation makes the same pair, and still nobody has to keep a token in clear.
   */
  successor(sent: SentRefreshToken, salt: string): TokenPair;
}

export function tokenMint(keyMaterial: string): TokenMint {
  const key = Buffer.from(hkdfSync('sha256', keyMaterial, '', 'parley refresh rotation', 32));
  const derive = (purpose: string, salt: string, token: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([purpose, salt, token]))
      .digest();
  return {
    first: () => ({
      accessToken: newSecret('accessToken'),
      refreshToken: refreshToken(randomBytes(FAMILY_BYTES), randomBytes(SECRET_BYTES)),
    }),
    newSalt: () => randomBytes(SECRET_BYTES).toString('base64url'),
    successor: ({ family, token }, salt) => ({
      accessToken: `at_${derive('access', salt, token).toString('base64url')}`,
      refreshToken: refreshToken(family, derive('refresh', salt, token)),
    }),
  };
}

/** Undefined for what cannot be a refresh token of ours. */
export function readRefreshToken(token: string): SentRefreshToken | undefined {
  const [, body] = REFRESH_TOKEN.exec(token) ?? [];
  if (body === undefined) return undefined;
  const family = Buffer.from(body, 'base64url').subarray(0, FAMILY_BYTES);
  return { familyDigest: digest(family.toString('base64url')), digest: digest(token), family, token };
}

function refreshToken(family: Buffer, secret: Buffer): string {
  return `${secretPrefixes.refreshToken}_${Buffer.concat([family, secret]).toString('base64url')}`;
}
