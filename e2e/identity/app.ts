import { createHash, randomBytes } from 'node:crypto';
import { type Reply, send, sharedStack, succeeded } from '../support/api.ts';
import { type Person, signIn } from './people.ts';
import type { Page } from './visitor.ts';

/** A registered app and its state. */
export interface App {
  readonly clientId: string;
  readonly redirectUri: string;
}

export const REDIRECT_URI = 'https://app.example/callback';

export async function registerApp(redirectUri = REDIRECT_URI, clientName = 'Calendar'): Promise<App> {
  const reply = await succeeded(register({ client_name: clientName, redirect_uris: [redirectUri] }));
  return { clientId: reply.body.client_id, redirectUri };
}

export function register(metadata: unknown): Promise<Reply> {
  return send('POST', `${sharedStack().base_url}/oauth/register`, { body: metadata });
}

/** The app keeps the verifier secret until it redeems a code. */
export function newPkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** A sound authorization request, with changes; null takes a parameter out. */
export function authorizeQuery(app: App, challenge: string, changes: Record<string, string | null> = {}): string {
  const query = {
    response_type: 'code',
    client_id: app.clientId,
    redirect_uri: app.redirectUri,
    scope: 'api',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'state-1',
    ...changes,
  };
  const kept = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== null);
  return `/oauth/authorize?${new URLSearchParams(kept)}`;
}

/** Signs in if need be, allows the app, and answers the address the browser was sent back to. */
export async function allow(person: Person, path: string): Promise<URL> {
  let page: Page = await person.open(path);
  if (page.html.includes('>Sign in</button>')) page = await signIn(person, path);
  return new URL((await person.press(page, 'Allow')).url);
}

/** A form to the token endpoint; values may repeat. */
export function tokenRequest(fields: Record<string, string | string[]>, path = '/oauth/token'): Promise<Reply> {
  const form = new URLSearchParams();
  for (const [name, values] of Object.entries(fields)) for (const value of [values].flat()) form.append(name, value);
  return send('POST', `${sharedStack().base_url}${path}`, {
    body: form.toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
}

/** A code fresh from the consent page, and the form that redeems it. */
export async function newCode(person: Person, app: App): Promise<Record<string, string>> {
  const { verifier, challenge } = newPkce();
  const back = await allow(person, authorizeQuery(app, challenge));
  return {
    grant_type: 'authorization_code',
    client_id: app.clientId,
    code: back.searchParams.get('code') ?? '',
    redirect_uri: app.redirectUri,
    code_verifier: verifier,
  };
}

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

export async function newTokens(person: Person, app: App): Promise<Tokens> {
  return (await succeeded(tokenRequest(await newCode(person, app)))).body;
}

export function refresh(app: App, refreshToken: string, more: Record<string, string> = {}): Promise<Reply> {
  return tokenRequest({
    grant_type: 'refresh_token',
    client_id: app.clientId,
    refresh_token: refreshToken,
    ...more,
  });
}

/** The response of the API to a token. */
export function useToken(accessToken: string): Promise<Reply> {
  return send('GET', `${sharedStack().base_url}/api/v1/contacts`, {
    headers: { Authorization: `Bearer ${accessToken}` },
  });
}
