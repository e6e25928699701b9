import { createHash, randomBytes } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { CredentialService } from '@parley/proto/identity/v1/credentials_pb';
import { type IssueTokensRequestSchema, OAuthService, type TokenSet } from '@parley/proto/identity/v1/oauth_pb';
import { PasswordAdminService } from '@parley/proto/identity/v1/passwords_pb';
import { type OpenedSession, SignInService } from '@parley/proto/identity/v1/sign_in_pb';
import type { Channel } from '@parley/rpc';
import type { TestEmployee, TestIdentity } from './start-identity.ts';

export const PASSWORD = 'correct horse battery';
const REDIRECT_URI = 'https://app.example/cb';
const ISSUER = 'https://parley.example';

/** An employee with a password. */
export async function newPerson(identity: TestIdentity, details: Partial<TestEmployee> = {}): Promise<TestEmployee> {
  const employee = await identity.hire(details);
  await identity.channel
    .client(PasswordAdminService)
    .setPassword({ employeeId: employee.id, companyId: employee.companyId, password: PASSWORD }, identity.operator);
  return employee;
}

export async function trySignIn({ channel }: TestIdentity, email: string, password = PASSWORD, device = '') {
  const visitor = { address: '192.0.2.1', userAgent: 'test', device };
  return (await channel.client(SignInService).signIn({ email, password, visitor })).outcome;
}

export async function signIn(identity: TestIdentity, person: TestEmployee): Promise<OpenedSession> {
  const outcome = await trySignIn(identity, person.email);
  if (outcome.case !== 'opened') throw new Error('not signed in');
  return outcome.value;
}

export type TokenRequest = MessageInitShape<typeof IssueTokensRequestSchema>;

export async function registerApp({ channel }: TestIdentity): Promise<string> {
  const metadata = { clientName: 'App', redirectUris: [REDIRECT_URI] };
  const { outcome } = await channel.client(OAuthService).registerClient(metadata);
  if (outcome.case !== 'client') throw new Error('not registered');
  return outcome.value.clientId;
}

/** The request that redeems a fresh code. */
export async function newCode({ channel }: TestIdentity, session: string, clientId: string): Promise<TokenRequest> {
  const codeVerifier = randomBytes(32).toString('base64url');
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
  const { outcome } = await channel.client(OAuthService).decideAuthorization({
    request: {
      clientId,
      redirectUri: REDIRECT_URI,
      state: 's',
      issuer: ISSUER,
      parameters: { case: 'code', value: { scope: 'api', codeChallenge } },
    },
    allowed: true,
    session,
  });
  if (outcome.case !== 'redirect') throw new Error(`no code: ${outcome.case}`);
  const code = new URL(outcome.value).searchParams.get('code') ?? '';
  return { clientId, grant: { case: 'code', value: { code, redirectUri: REDIRECT_URI, codeVerifier } } };
}

/** The tokens, or the error's code. */
export async function requestTokens(channel: Channel, request: TokenRequest): Promise<TokenSet | string> {
  const { outcome } = await channel.client(OAuthService).issueTokens(request);
  if (outcome.case === 'tokens') return outcome.value;
  return outcome.case === 'error' ? outcome.value.error : 'nothing';
}

export async function newTokens(identity: TestIdentity, session: string, clientId: string): Promise<TokenSet> {
  const tokens = await requestTokens(identity.channel, await newCode(identity, session, clientId));
  if (typeof tokens === 'string') throw new Error(tokens);
  return tokens;
}

export const refreshForm = (clientId: string, refreshToken: string, sentAt = new Date()): TokenRequest => ({
  clientId,
  grant: { case: 'refresh', value: { refreshToken, earliestSentAt: timestampFromDate(sentAt) } },
});

export async function employeeOfToken({ channel }: TestIdentity, accessToken: string): Promise<string | undefined> {
  return (await channel.client(CredentialService).verifyAccessToken({ accessToken })).principal?.employeeId;
}

export async function employeeOfSession({ channel }: TestIdentity, session: string): Promise<string | undefined> {
  return (await channel.client(CredentialService).verifySession({ session })).principal?.employeeId;
}
