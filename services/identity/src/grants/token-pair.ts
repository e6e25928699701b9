import { randomBytes } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { IssueTokensResponseSchema } from '@parley/proto/identity/v1/oauth_pb';
import { digest, newSecret, secretPrefixes } from '@parley/secrets';
import { ACCESS_TOKEN_LIFETIME_SECS } from './grant.ts';
import { oauthError, type OAuthErrorCode } from '../oauth-protocol/oauth-error.ts';

export type TokenResponse = MessageInitShape<typeof IssueTokensResponseSchema>;

/** Full access as the employee; the only scope an app can have. `web` is for our own pages and never granted. */
const API_SCOPE = 'api';

const FAMILY_BYTES = 16;
const SECRET_BYTES = 32;
const REFRESH_TOKEN = /^rt_([A-Za-z0-9_-]{64})$/;

/** An access and a refresh token as the app gets them. */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** A refresh token as it was sent, taken apart. */
interface SentRefreshToken {
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

export function digestsOf({ accessToken, refreshToken }: TokenPair) {
  return { accessDigest: digest(accessToken), refreshDigest: digest(refreshToken) };
}

/** The digests of the first pair of a grant. */
export function newGrantTokens(pair: TokenPair) {
  return { ...digestsOf(pair), familyDigest: readRefreshToken(pair.refreshToken)?.familyDigest ?? '' };
}

export function issued({ accessToken, refreshToken }: TokenPair, now: Date): TokenResponse {
  const createdAt = timestampFromDate(now);
  const tokens = { accessToken, refreshToken, expiresInSecs: ACCESS_TOKEN_LIFETIME_SECS, scope: API_SCOPE, createdAt };
  return { outcome: { case: 'tokens', value: tokens } };
}

export function errorResponse(error: OAuthErrorCode, description: string): TokenResponse {
  return { outcome: { case: 'error', value: oauthError(error, description) } };
}
