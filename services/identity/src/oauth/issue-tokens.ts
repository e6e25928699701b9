import { setTimeout as sleep } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import { type Timestamp, timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { type BackgroundWork, type Clock, systemClock } from '@parley/clock';
import type { CodeGrant, IssueTokensResponseSchema, OAuthService } from '@parley/proto/identity/v1/oauth_pb';
import { cache } from '@parley/queues';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { digest, type Encryptor, newSecret, secretPrefixes } from '@parley/secrets';
import type { Logger } from '@parley/telemetry';
import { oauthError } from '../oauth-protocol/oauth-error.ts';
import {
  ACCESS_TOKEN_LIFETIME_SECS,
  type Grant,
  type GrantDecision,
  type GrantProblem,
  redeemCode,
  refreshGrant,
  type RefreshOutcome,
  REPLAY_KEPT_MS,
} from '../grants/grant.ts';
import type { Grants } from '../grants/grant-store.ts';
import type { Accounts } from '../accounts/account-store.ts';
import { hasEnded } from '../accounts/account-activity.ts';
import type { OAuthClients } from '../oauth-clients/oauth-client-store.ts';
import type { SessionVerifier } from '../sessions/verify-session.ts';
import type { Throttles } from '../throttles/throttle-store.ts';

export interface OAuthDeps {
  readonly clients: OAuthClients;
  readonly grants: Grants;
  readonly accounts: Accounts;
  readonly verifySession: SessionVerifier;
  readonly encryptor: Encryptor;
  readonly throttles: Throttles;
  readonly clock: Clock;
  readonly backgroundWork: BackgroundWork;
  readonly log: Logger;
}

/** Full access as the employee; the only scope an app can have. `web` is for our own pages and never granted. */
const API_SCOPE = 'api';

/** The longest wait of a request for the response of the one that rotates the same token, and its polling interval. */
const WAIT_MS_MAX = 2000;
const POLL_MS = 20;
/** Refresh requests; the same one that arrives twice is answered once. */
const IN_PROGRESS_MAX = 10_000;

type Response = MessageInitShape<typeof IssueTokensResponseSchema>;

export const issueTokensRpc = (deps: OAuthDeps): Handler<typeof OAuthService.method.issueTokens, ServicePrincipal> => {
  const { clients, clock } = deps;
  const inProgress = cache<Response>({ ageMaxMs: 0, max: IN_PROGRESS_MAX });
  return async ({ clientId, grant }) => {
    if (!(await clients.get(clientId, clock.now())))
      return { outcome: { case: 'error', value: oauthError('invalid_client', 'client_id is unknown') } };
    if (grant.case === 'code') return redeem(deps, clientId, grant.value);
    if (grant.case === undefined) throw new Error('a token request without a grant');
    const { refreshToken } = grant.value;
    const sentAt = earliestSentAt(grant.value.earliestSentAt, clock);
    const request = digest(`${clientId} ${refreshToken}`);
    return inProgress.get(request, () => refresh(deps, { clientId, refreshToken, sentAt }));
  };
};

/** Measured by the product's clock; no longer ago than responses are kept. */
function earliestSentAt(sentAt: Timestamp | undefined, clock: Clock): Date {
  const elapsedMs = sentAt ? systemClock.now().getTime() - timestampDate(sentAt).getTime() : 0;
  return new Date(clock.now().getTime() - Math.min(Math.max(elapsedMs, 0), REPLAY_KEPT_MS));
}

/** False while the employee is deactivated: the grant stays as it is, for when they come back. */
async function isUsable({ accounts }: OAuthDeps, { employeeId, createdAt }: Grant): Promise<boolean> {
  const account = await accounts.byEmployee(employeeId);
  return account !== undefined && !hasEnded(account, createdAt);
}

async function redeem(deps: OAuthDeps, clientId: string, presented: CodeGrant): Promise<Response> {
  const { grants, clock } = deps;
  const { redirectUri, codeVerifier: verifier } = presented;
  const request = { clientId, redirectUri, verifier };
  const grant = await grants.byCode(digest(presented.code));
  if (!grant || !(await isUsable(deps, grant))) return invalidGrant('the code is unknown');
  const pair = firstTokens();
  const sent = readRefreshToken(pair.refreshToken);
  const tokens = { ...digestsOf(pair), familyDigest: sent?.familyDigest ?? '' };
  const now = clock.now();
  const outcome = await grants.decide(grant, (current) => redeemCode(current, request, tokens, now));
  if (outcome === undefined) return invalidGrant('the code is unknown');
  return outcome === 'issued' ? issued(pair, now) : refusedFor(outcome, grant);
}

async function refresh(
  deps: OAuthDeps,
  request: { clientId: string; refreshToken: string; sentAt: Date },
): Promise<Response> {
  const { grants, encryptor, clock } = deps;
  const { clientId, sentAt } = request;
  const sent = readRefreshToken(request.refreshToken);
  const grant = sent && (await grants.byRefreshFamily(sent.familyDigest));
  if (!grant || !(await isUsable(deps, grant))) return invalidGrant('the refresh token is unknown');
  const pair = nextTokens(sent);
  const context = `grant/${grant.id}/refresh/${sent.digest}`;
  const rotation = { ...digestsOf(pair), encryptedResponse: encryptor.encrypt(JSON.stringify(pair), context) };
  const wasCurrent = grant.refresh?.digest === sent.digest;
  const attempt = { clientId, digest: sent.digest, earliestSentAt: sentAt, wasCurrent };
  let now = sentAt;
  const outcome = await decideInTime(grants, grant, (current, hasWaited) => {
    now = clock.now();
    return refreshGrant(current, { ...attempt, hasWaited }, rotation, now);
  });
  if (outcome === undefined || outcome.kind === 'undecided') return invalidGrant('the refresh token is unknown');
  if (outcome.kind === 'refused') return refusedFor(outcome, grant);
  if (outcome.kind === 'rotated') {
    recordResponseTime(deps, grant, sent.digest);
    return issued(pair, now);
  }
  const { replay, issuedAt } = outcome;
  return issued(JSON.parse(encryptor.decrypt(replay.encrypted, context)) as TokenPair, issuedAt);
}

/** Decides, and again while another request, perhaps in another process, is about to respond for the same token. */
async function decideInTime(
  grants: Grants,
  grant: Grant,
  decide: (current: Grant, hasWaited: boolean) => GrantDecision<RefreshOutcome>,
): Promise<RefreshOutcome | undefined> {
  const latest = performance.now() + WAIT_MS_MAX;
  for (let known: Grant | undefined = grant; known; known = await grants.of(grant.companyId).get(grant.id)) {
    const outcome = await grants.decide(known, (current) => decide(current, performance.now() >= latest));
    if (outcome?.kind !== 'undecided') return outcome;
    await sleep(POLL_MS);
  }
  return undefined;
}

/** The response does not wait for this write; requests that have to know when it was sent do. */
function recordResponseTime(
  { grants, clock, backgroundWork, log }: OAuthDeps,
  grant: Grant,
  spentDigest: string,
): void {
  const answeredAt = clock.now();
  backgroundWork
    .during(() => grants.recordResponse(grant, spentDigest, answeredAt))
    .catch((error: unknown) => log.warn({ err: error }, 'the time of a response was not stored'));
}

function digestsOf({ accessToken, refreshToken }: TokenPair) {
  return { accessDigest: digest(accessToken), refreshDigest: digest(refreshToken) };
}

function issued({ accessToken, refreshToken }: TokenPair, now: Date): Response {
  const createdAt = timestampFromDate(now);
  const tokens = { accessToken, refreshToken, expiresInSecs: ACCESS_TOKEN_LIFETIME_SECS, scope: API_SCOPE, createdAt };
  return { outcome: { case: 'tokens', value: tokens } };
}

function refusedFor({ problem, isEnd }: GrantProblem, { id, employeeId }: Grant): Response {
  const error = { case: 'error' as const, value: oauthError('invalid_grant', problem) };
  return isEnd ? { outcome: error, revoked: { credentialId: id, employeeId } } : { outcome: error };
}

function invalidGrant(problem: string): Response {
  return { outcome: { case: 'error', value: oauthError('invalid_grant', problem) } };
}

const FAMILY_BYTES = 16;
const SECRET_BYTES = 32;
const REFRESH_TOKEN = /^rt_([A-Za-z0-9_-]{64})$/;

/** An access and a refresh token as the app gets them. */
interface TokenPair {
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
