import { setTimeout as sleep } from 'node:timers/promises';
import { type Timestamp, timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { type Clock, systemClock } from '@parley/clock';
import type { IssueTokensResponseSchema, OAuthService } from '@parley/proto/identity/v1/oauth_pb';
import type { Handler, ServicePrincipal } from '@parley/rpc';
import { digest } from '@parley/secrets';
import { oauthError } from '../oauth/oauth-error.ts';
import type { OAuthDeps } from '../oauth/oauth-deps.ts';
import { parametersOf } from '../oauth/parameters.ts';
import { API_SCOPE } from '../oauth/scope.ts';
import {
  ACCESS_TOKEN_LIFETIME_SECS,
  type Grant,
  type GrantProblem,
  redeemCode,
  refreshGrant,
  SHARED_MS,
} from './grant.ts';
import { shareAnswers } from './share-answers.ts';
import { readTokenRequest, type TokenRequest } from './token-request.ts';
import { firstTokens, nextTokens, readRefreshToken, type TokenPair } from './tokens.ts';

const TRANSIT_MS_MAX = 5000;

type Response = MessageInitShape<typeof IssueTokensResponseSchema>;
type CodeRequest = TokenRequest & { grantType: 'authorization_code' };
type RefreshRequest = TokenRequest & { grantType: 'refresh_token' };

export const issueTokensRpc = (deps: OAuthDeps): Handler<typeof OAuthService.method.issueTokens, ServicePrincipal> => {
  const { clients, clock } = deps;
  const share = shareAnswers<Response>();
  return async ({ parameters, receivedAt, issuer }) => {
    const arrivedAt = arrivalOf(receivedAt, clock);
    const isClient = async (id: string) => (await clients.get(id, clock.now())) !== undefined;
    const read = await readTokenRequest(parametersOf(parameters), issuer, isClient);
    if (!read.ok) return { outcome: { case: 'error', value: read.error } };
    const { request } = read;
    if (request.grantType === 'authorization_code') return redeem(deps, request);
    return share(digest(`${request.clientId} ${request.refreshToken}`), () => refresh(deps, request, arrivedAt));
  };
};

/** When the gateway received the request; the way from there counts for at most `TRANSIT_MS_MAX`. */
function arrivalOf(receivedAt: Timestamp | undefined, clock: Clock): Date {
  const elapsedMs = receivedAt ? systemClock.now().getTime() - timestampDate(receivedAt).getTime() : 0;
  return new Date(clock.now().getTime() - Math.min(Math.max(elapsedMs, 0), TRANSIT_MS_MAX));
}

async function redeem({ grants, clock }: OAuthDeps, request: CodeRequest): Promise<Response> {
  const grant = await grants.byCode(digest(request.code));
  if (!grant) return invalidGrant('the code is unknown');
  const pair = firstTokens();
  const sent = readRefreshToken(pair.refreshToken);
  const tokens = { ...digestsOf(pair), familyDigest: sent?.familyDigest ?? '' };
  const now = clock.now();
  const outcome = await grants.decide(grant, (current) => redeemCode(current, request, tokens, now));
  if (outcome === undefined) return invalidGrant('the code is unknown');
  return outcome === 'issued' ? issued(pair, now) : refusedFor(outcome, grant);
}

async function refresh(deps: OAuthDeps, request: RefreshRequest, arrivedAt: Date): Promise<Response> {
  const { grants, encryptor, clock } = deps;
  const { clientId } = request;
  const sent = readRefreshToken(request.refreshToken);
  const grant = sent && (await grants.byRefreshFamily(sent.familyDigest));
  if (!grant) return invalidGrant('the refresh token is unknown');
  const pair = nextTokens(sent);
  const context = `grant/${grant.id}/refresh/${sent.digest}`;
  const rotation = { ...digestsOf(pair), answer: encryptor.encrypt(JSON.stringify(pair), context) };
  const wasCurrent = grant.refresh?.digest === sent.digest;
  const attempt = { clientId, digest: sent.digest, arrivedAt, wasCurrent };
  let now = arrivedAt;
  const outcome = await grants.decide(grant, (current) => {
    now = clock.now();
    return refreshGrant(current, attempt, rotation, now);
  });
  if (outcome === undefined) return invalidGrant('the refresh token is unknown');
  if (outcome === 'rotated') {
    await sleep(SHARED_MS);
    return issued(pair, now);
  }
  if ('problem' in outcome) return refusedFor(outcome, grant);
  return issued(JSON.parse(encryptor.decrypt(outcome.sharedAnswer, context)) as TokenPair, outcome.issuedAt);
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
