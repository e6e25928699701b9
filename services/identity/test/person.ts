import { createHash, randomBytes } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { CredentialService } from '@parley/proto/identity/v1/credentials_pb';
import { OAuthService, type TokenSet } from '@parley/proto/identity/v1/oauth_pb';
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

/** Fields as the RPCs take them. */
export const parametersOf = (fields: Record<string, string>) =>
  Object.entries(fields).map(([name, value]) => ({ name, value }));

export async function registerApp({ channel }: TestIdentity): Promise<string> {
  const metadataJson = JSON.stringify({ client_name: 'App', redirect_uris: [REDIRECT_URI] });
  const { outcome } = await channel.client(OAuthService).registerClient({ metadataJson });
  if (outcome.case !== 'client') throw new Error('not registered');
  return outcome.value.clientId;
}

/** The form that redeems a fresh code. */
export async function newCode(
  { channel }: TestIdentity,
  session: string,
  clientId: string,
): Promise<Record<string, string>> {
  const verifier = randomBytes(32).toString('base64url');
  const { outcome } = await channel.client(OAuthService).decideAuthorization({
    parameters: parametersOf({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: REDIRECT_URI,
      scope: 'api',
      state: 's',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }),
    issuer: ISSUER,
    allowed: true,
    session,
  });
  if (outcome.case !== 'redirect') throw new Error(`no code: ${outcome.case}`);
  const code = new URL(outcome.value).searchParams.get('code') ?? '';
  const grant_type = 'authorization_code';
  return { grant_type, client_id: clientId, redirect_uri: REDIRECT_URI, code, code_verifier: verifier };
}

/** The tokens, or the error's code. */
export async function askTokens(channel: Channel, fields: Record<string, string>): Promise<TokenSet | string> {
  const receivedAt = timestampFromDate(new Date());
  const { outcome } = await channel.client(OAuthService).issueTokens({ parameters: parametersOf(fields), receivedAt });
  if (outcome.case === 'tokens') return outcome.value;
  return outcome.case === 'error' ? outcome.value.error : 'nothing';
}

export async function newTokens(identity: TestIdentity, session: string, clientId: string): Promise<TokenSet> {
  const tokens = await askTokens(identity.channel, await newCode(identity, session, clientId));
  if (typeof tokens === 'string') throw new Error(tokens);
  return tokens;
}

export const refreshForm = (clientId: string, refreshToken: string) => ({
  grant_type: 'refresh_token',
  client_id: clientId,
  refresh_token: refreshToken,
});

export async function whoHas({ channel }: TestIdentity, accessToken: string): Promise<string | undefined> {
  return (await channel.client(CredentialService).verifyAccessToken({ accessToken })).principal?.employeeId;
}

export async function whoIsIn({ channel }: TestIdentity, session: string): Promise<string | undefined> {
  return (await channel.client(CredentialService).verifySession({ session })).principal?.employeeId;
}
