import { setTimeout as sleep } from 'node:timers/promises';
import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { type BackgroundWork, type Clock, systemClock } from '@parley/clock';
import type { CodeGrant, OAuthService } from '@parley/proto/identity/v1/oauth_pb';
import { cache } from '@parley/queues';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { digest, type Encryptor } from '@parley/secrets';
import type { Logger } from '@parley/telemetry';
import { oauthError } from '../oauth-protocol/oauth-error.ts';
import {
  type Grant,
  type GrantDecision,
  type GrantProblem,
  redeemCode,
  refreshGrant,
  type RefreshOutcome,
  REPLAY_KEPT_MS,
} from '../grants/grant.ts';
import type { Grants } from '../grants/grant-store.ts';
import { hasEnded } from '../accounts/account-activity.ts';
import type { OAuthClients } from '../oauth-clients/oauth-client-store.ts';
import {
  digestsOf,
  errorResponse,
  firstTokens,
  issued,
  newGrantTokens,
  nextTokens,
  readRefreshToken,
  type TokenPair,
  type TokenResponse,
} from '../grants/token-pair.ts';
import type { SessionVerifier } from '../sessions/verify-session.ts';
import { redeemDeviceCode, type DeviceGrantDeps } from '../device-authorizations/redeem-device-code.ts';
import type { Throttles } from '../throttles/throttle-store.ts';

export interface OAuthDeps extends DeviceGrantDeps {
  readonly clients: OAuthClients;
  readonly verifySession: SessionVerifier;
  readonly encryptor: Encryptor;
  readonly throttles: Throttles;
  readonly backgroundWork: BackgroundWork;
  readonly log: Logger;
}

/** The longest wait of a request for the response of the one that rotates the same token, and its polling interval. */
const WAIT_MS_MAX = 2000;
const POLL_MS = 20;
/** Refresh requests; the same one that arrives twice is answered once. */
const IN_PROGRESS_MAX = 10_000;

export const issueTokensRpc = (deps: OAuthDeps): Handler<typeof OAuthService.method.issueTokens, ServicePrincipal> => {
  const { clients, clock } = deps;
  const inProgress = cache<TokenResponse>({ ageMaxMs: 0, max: IN_PROGRESS_MAX });
  return async ({ clientId, grant }) => {
    const client = await clients.get(clientId, clock.now());
    if (!client) return errorResponse('invalid_client', 'client_id is unknown');
    if (grant.case === 'device') return redeemDeviceCode(deps, client, grant.value.deviceCode);
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

async function redeem(deps: OAuthDeps, clientId: string, presented: CodeGrant): Promise<TokenResponse> {
  const { grants, clock } = deps;
  const { redirectUri, codeVerifier: verifier } = presented;
  const request = { clientId, redirectUri, verifier };
  const grant = await grants.byCode(digest(presented.code));
  if (!grant || !(await isUsable(deps, grant))) return invalidGrant('the code is unknown');
  const pair = firstTokens();
  const tokens = newGrantTokens(pair);
  const now = clock.now();
  const outcome = await grants.decide(grant, (current) => redeemCode(current, request, tokens, now));
  if (outcome === undefined) return invalidGrant('the code is unknown');
  return outcome === 'issued' ? issued(pair, now) : refusedFor(outcome, grant);
}

async function refresh(
  deps: OAuthDeps,
  request: { clientId: string; refreshToken: string; sentAt: Date },
): Promise<TokenResponse> {
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

function refusedFor({ problem, isEnd }: GrantProblem, { id, employeeId }: Grant): TokenResponse {
  const error = { case: 'error' as const, value: oauthError('invalid_grant', problem) };
  return isEnd ? { outcome: error, revoked: { credentialId: id, employeeId } } : { outcome: error };
}

function invalidGrant(problem: string): TokenResponse {
  return errorResponse('invalid_grant', problem);
}
