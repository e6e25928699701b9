import type { AuditChanges, Audited } from '@parley/actor';
import { digestsEqual } from '@parley/secrets';
import { auditOfCredential } from '../audit/credential-audit.ts';
import type { CredentialRevoked } from '../revocations/credential-proto.ts';
import { createHash } from 'node:crypto';

/**
 * An employee's authorization of an app, with its code and all of its tokens in one document. Each rule (a code works once, a
 * refresh token has one successor, reuse ends the grant) is one guarded write of it.
 */
export interface Grant {
  readonly id: string;
  readonly companyId: string;
  readonly employeeId: string;
  readonly clientId: string;
  /** The name of the app at the time of the authorization, for the audit log. */
  readonly clientName: string;
  readonly scope: string;
  readonly createdAt: Date;
  /** When one of its access tokens was last used, to the minute. */
  readonly lastUsedAt: Date | null;
  readonly code: AuthorizationCode | DeviceCode;
  readonly accessTokens: readonly AccessToken[];
  readonly refresh: RefreshState | null;
  /** The response of the latest rotation; removed after a few seconds. */
  readonly rotationReplay?: RotationReplay;
  /** After this the grant can neither be used nor renewed, and is removed. */
  readonly expiresAt: Date;
}

export interface AuthorizationCode {
  readonly digest: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
}

/** The device code that the grant was made for. It is used from the beginning, and no authorization code. */
interface DeviceCode {
  readonly digest: string;
  readonly isOfDevice: true;
  readonly expiresAt: Date;
  readonly usedAt: Date;
}

export interface AccessToken {
  readonly digest: string;
  readonly expiresAt: Date;
}

export interface RefreshState {
  /** Digest of the part all refresh tokens of the grant have in common; it finds the grant of a spent one too. */
  readonly familyDigest: string;
  readonly digest: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  /** Tokens spent within the last half minute, the latest last. */
  readonly spent: readonly SpentToken[];
}

export interface SpentToken {
  readonly digest: string;
  readonly spentAt: Date;
}

/** The encrypted response of a rotation, which requests that overlap it get as well. */
export interface RotationReplay {
  /** The digest of the token that was rotated. */
  readonly digest: string;
  readonly encrypted: string;
  /**
   * When the process that rotated sent the response: a request that arrived before overlaps the rotation. Null until then.
   */
  readonly answeredAt: Date | null;
  readonly removeAt: Date;
}

export type GrantEvent =
  | ({
      readonly type: 'identity.grant.created';
      readonly id: string;
      readonly employeeId: string;
      readonly clientId: string;
    } & Audited)
  | CredentialRevoked;

const CODE_LIFETIME_SECS = 600;
export const ACCESS_TOKEN_LIFETIME_SECS = 3600;
const REFRESH_TOKEN_LIFETIME_SECS = 30 * 24 * 3600;
/** A spent token presented again within this time is a client's mistake; after it, the token counts as stolen. */
const REUSE_GRACE_SECS = 30;
/** A concurrent request may take this long to reach the grant. */
export const REPLAY_KEPT_MS = 5000;
/** The largest accepted difference between the clocks of two replicas. */
const SKEW_SECS = 2;
/** A client that rotates without pause must not make the document grow without end. */
const SPENT_TOKENS_MAX = 100;
/** Access tokens of earlier rotations stay valid for their hour; of a client that refreshes often only the latest are kept. */
const ACCESS_TOKENS_MAX = 10;

/** Tokens about to be issued, as digests. */
export interface NewTokens {
  readonly accessDigest: string;
  readonly refreshDigest: string;
}

/** A new state, null to end the grant, or undefined to leave it unchanged. */
export interface GrantDecision<Outcome> {
  readonly outcome: Outcome;
  readonly next?: Grant | null;
  readonly events?: readonly GrantEvent[];
}

export function openGrant(
  grant: Pick<Grant, 'id' | 'companyId' | 'employeeId' | 'clientId' | 'clientName' | 'scope'>,
  code: Pick<AuthorizationCode, 'digest' | 'redirectUri' | 'challenge'>,
  now: Date,
): { state: Grant; events: readonly GrantEvent[] } {
  const expiresAt = after(now, CODE_LIFETIME_SECS);
  return {
    state: {
      ...grant,
      createdAt: now,
      lastUsedAt: null,
      code: { ...code, expiresAt, usedAt: null },
      accessTokens: [],
      refresh: null,
      expiresAt,
    },
    events: [created(grant)],
  };
}

/** A grant for a device code: it begins with its tokens. The employee has allowed it before. */
export function openDeviceGrant(
  grant: Pick<Grant, 'id' | 'companyId' | 'employeeId' | 'clientId' | 'clientName' | 'scope'>,
  code: Pick<DeviceCode, 'digest' | 'expiresAt'>,
  { familyDigest, ...tokens }: NewTokens & { familyDigest: string },
  now: Date,
): { state: Grant; events: readonly GrantEvent[] } {
  const opened: Grant = {
    ...grant,
    createdAt: now,
    lastUsedAt: null,
    code: { ...code, isOfDevice: true, usedAt: now },
    accessTokens: [],
    refresh: null,
    expiresAt: code.expiresAt,
  };
  const audited = { grant: { from: null, to: 'device_code' } };
  return { state: withTokens(opened, { familyDigest, spent: [] }, tokens, now), events: [created(grant, audited)] };
}

function created(
  { id, employeeId, clientId, clientName: name }: Pick<Grant, 'id' | 'employeeId' | 'clientId' | 'clientName'>,
  audited?: AuditChanges,
): GrantEvent {
  const audit = auditOfCredential('connected_app.created', { id, name, employeeId }, audited);
  return { type: 'identity.grant.created', id, employeeId, clientId, audit };
}

/** Why a token request for an existing grant fails; each is `invalid_grant` with this description. */
export type GrantProblem = {
  readonly problem: string;
  /** The grant ends because of it. */
  readonly isEnd?: true;
};

export type RedeemOutcome = 'issued' | GrantProblem;

/** A code for tokens, once. The second time ends what the first one began (RFC 6749 section 4.1.2). */
export function redeemCode(
  grant: Grant,
  request: { clientId: string; redirectUri: string; verifier: string },
  tokens: NewTokens & { familyDigest: string },
  now: Date,
): GrantDecision<RedeemOutcome> {
  if (grant.clientId !== request.clientId) return { outcome: { problem: 'the code was issued to another client' } };
  const { code } = grant;
  if ('isOfDevice' in code) return { outcome: { problem: 'the code is unknown' } };
  if (code.usedAt) return { outcome: { problem: 'the code was already used', isEnd: true }, ...ended(grant) };
  if (code.expiresAt <= now) return { outcome: { problem: 'the code has expired' } };
  if (code.redirectUri !== request.redirectUri)
    return { outcome: { problem: 'redirect_uri is not that of the authorization request' } };
  if (!matchesChallenge(request.verifier, code.challenge))
    return { outcome: { problem: 'code_verifier does not fit the code_challenge' } };
  const { familyDigest } = tokens;
  const next = withTokens({ ...grant, code: { ...code, usedAt: now } }, { familyDigest, spent: [] }, tokens, now);
  return { outcome: 'issued', next };
}

export type RefreshOutcome =
  | { readonly kind: 'rotated' }
  /** Another request rotates the token and has not responded yet: this one waits for it. */
  | { readonly kind: 'undecided' }
  | { readonly kind: 'replayed'; readonly replay: RotationReplay; readonly issuedAt: Date }
  | ({ readonly kind: 'refused' } & GrantProblem);

export interface RefreshAttempt {
  readonly clientId: string;
  readonly digest: string;
  readonly earliestSentAt: Date;
  /** The request has waited for the response of the rotation for as long as that may take. */
  readonly hasWaited: boolean;
  /**
   * The token was still current when this request first read the grant, so the request overlaps the rotation regardless of clock
   * differences.
   */
  readonly wasCurrent: boolean;
}

/**
 * Exchanges a refresh token for its successor. A request that overlaps the rotation gets the same response: two tabs of one
 * browser are no theft, and there is still only one chain.
 */
export function refreshGrant(
  grant: Grant,
  request: RefreshAttempt,
  rotation: NewTokens & { encryptedResponse: string },
  now: Date,
): GrantDecision<RefreshOutcome> {
  const { refresh } = grant;
  if (!refresh || grant.clientId !== request.clientId)
    return { outcome: refusal('the refresh token was issued to another client') };
  if (digestsEqual(refresh.digest, request.digest)) {
    if (refresh.expiresAt <= now) return { outcome: refusal('the refresh token has expired') };
    const recent = refresh.spent.filter((one) => isWithinGrace(one, now));
    const spent = [...recent, { digest: refresh.digest, spentAt: now }].slice(-SPENT_TOKENS_MAX);
    const rotated = withTokens(grant, { familyDigest: refresh.familyDigest, spent }, rotation, now);
    // It replaces the response of an earlier rotation, which would start a second chain.
    const rotationReplay = {
      digest: refresh.digest,
      encrypted: rotation.encryptedResponse,
      answeredAt: null,
      removeAt: new Date(now.getTime() + REPLAY_KEPT_MS),
    };
    return { outcome: { kind: 'rotated' }, next: { ...rotated, rotationReplay } };
  }
  const { rotationReplay: replay } = grant;
  if (replay && digestsEqual(replay.digest, request.digest)) {
    const overlap = overlapOf(replay, request, refresh.issuedAt, now);
    if (overlap === 'undecided') return { outcome: { kind: 'undecided' } };
    if (overlap === 'overlaps') return { outcome: { kind: 'replayed', replay, issuedAt: refresh.issuedAt } };
  }
  const spent = refresh.spent.find((one) => digestsEqual(one.digest, request.digest));
  if (spent && isWithinGrace(spent, now)) return { outcome: refusal('the refresh token was already used') };
  const outcome = { ...refusal('the refresh token was already used; the grant is revoked'), isEnd: true as const };
  return { outcome, ...ended(grant) };
}

/** Records when the response of this token's rotation was sent: requests that arrive later do not get it. */
export function recordResponse(grant: Grant, digest: string, answeredAt: Date): GrantDecision<void> {
  const { rotationReplay } = grant;
  if (rotationReplay?.digest !== digest || rotationReplay.answeredAt) return { outcome: undefined };
  return { outcome: undefined, next: { ...grant, rotationReplay: { ...rotationReplay, answeredAt } } };
}

function refusal(problem: string) {
  return { kind: 'refused', problem } as const;
}

/** An app gives a token back: a refresh token ends the grant, an access token only itself. Answers whether it was its own. */
export function returnToken(grant: Grant, clientId: string, accessDigest: string | undefined): GrantDecision<boolean> {
  if (grant.clientId !== clientId) return { outcome: false };
  if (accessDigest === undefined) return { outcome: true, ...ended(grant) };
  const accessTokens = grant.accessTokens.filter(({ digest }) => digest !== accessDigest);
  return { outcome: true, next: { ...grant, accessTokens }, events: [revoked(grant)] };
}

/** Ends the grant in any state. */
export function endGrant(grant: Grant): GrantDecision<void> {
  return { outcome: undefined, ...ended(grant) };
}

/** When the access token with this digest expires; undefined when it has, or is not one of the grant's. */
export function accessUntil(grant: Grant, digest: string, now: Date): Date | undefined {
  const token = grant.accessTokens.find((candidate) => candidate.digest === digest);
  return token && token.expiresAt > now ? token.expiresAt : undefined;
}

function withTokens(
  grant: Grant,
  family: Pick<RefreshState, 'familyDigest' | 'spent'>,
  { accessDigest, refreshDigest }: NewTokens,
  now: Date,
): Grant {
  const live = grant.accessTokens.filter(({ expiresAt }) => expiresAt > now);
  const access = { digest: accessDigest, expiresAt: after(now, ACCESS_TOKEN_LIFETIME_SECS) };
  const expiresAt = after(now, REFRESH_TOKEN_LIFETIME_SECS);
  return {
    ...grant,
    accessTokens: [...live, access].slice(-ACCESS_TOKENS_MAX),
    refresh: { ...family, digest: refreshDigest, issuedAt: now, expiresAt },
    expiresAt,
  };
}

/**
 * Decides whether a request arrived before the response of the rotation was sent. A request that waited in vain gets the same
 * tokens: the one that rotated has crashed, and no client has them. Clocks of replicas differ a little; if the clock went back
 * behind the rotation, nothing overlaps, because accepting it would allow a replay.
 */
function overlapOf(
  { answeredAt, removeAt }: RotationReplay,
  request: RefreshAttempt,
  rotatedAt: Date,
  now: Date,
): 'overlaps' | 'late' | 'undecided' {
  if (removeAt <= now || removeAt.getTime() > now.getTime() + REPLAY_KEPT_MS + SKEW_SECS * 1000) return 'late';
  if (request.wasCurrent || request.earliestSentAt <= rotatedAt) return 'overlaps';
  if (answeredAt) return request.earliestSentAt < answeredAt ? 'overlaps' : 'late';
  return request.hasWaited ? 'overlaps' : 'undecided';
}

function isWithinGrace({ spentAt }: SpentToken, now: Date): boolean {
  return now.getTime() - spentAt.getTime() <= REUSE_GRACE_SECS * 1000;
}

function ended(grant: Grant): { next: null; events: readonly GrantEvent[] } {
  const audit = auditOfCredential('connected_app.revoked', { ...grant, name: grant.clientName });
  return { next: null, events: [{ ...revoked(grant), audit }] };
}

function revoked(grant: Grant): GrantEvent {
  return { type: 'identity.credential.revoked', credentialId: grant.id, employeeId: grant.employeeId, ended: 'one' };
}

function after(now: Date, secs: number): Date {
  return new Date(now.getTime() + secs * 1000);
}

/** RFC 7636 section 4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/** S256 is the only method there is. */
function matchesChallenge(verifier: string, challenge: string): boolean {
  return VERIFIER.test(verifier) && digestsEqual(createHash('sha256').update(verifier).digest('base64url'), challenge);
}
