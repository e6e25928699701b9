import { createHash, randomBytes } from 'node:crypto';
import { expectThat } from '../../expectations/expect.ts';
import { LeftOut } from '../../expectations/failure.ts';
import { integer, someText } from '../../expectations/shapes.ts';
import { ApiClient } from '../../http/api-client.ts';
import type { PendingReply } from '../../http/reply.ts';
import { Browser, type Page } from '../../world/browser.ts';
import type { Context } from '../../world/context.ts';
import { prepared } from '../../world/prepared.ts';
import { freshWord } from '../../world/random.ts';

/** Nobody opens it: the browser stops before it leaves the server. */
export const REDIRECT_URI = 'http://127.0.0.1:53682/callback';
export const INVALID_GRANT = { error: 'invalid_grant' };
export const TOKENS = {
  access_token: someText,
  token_type: 'Bearer',
  expires_in: 3600,
  refresh_token: someText,
  scope: 'api',
  created_at: integer,
};

export interface Person {
  readonly email: string;
  readonly password: string;
}

/** A partner's app, and a person's browser in which it is authorised. */
export class App {
  readonly #context: Context;
  readonly clientId: string;
  readonly name: string;
  readonly browser: Browser;
  readonly verifier: string = randomBytes(32).toString('base64url');

  constructor(context: Context, clientId: string, name: string) {
    this.#context = context;
    this.clientId = clientId;
    this.name = name;
    this.browser = new Browser(context.network, context.target.baseUrl);
  }

  /** What the app sends the browser to; `undefined` leaves a parameter out. */
  authorizePath(changes: Readonly<Record<string, string | undefined>> = {}): string {
    const parameters = {
      response_type: 'code',
      client_id: this.clientId,
      redirect_uri: REDIRECT_URI,
      scope: 'api',
      code_challenge: createHash('sha256').update(this.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state: 'a state & more',
      ...changes,
    };
    const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return `/oauth/authorize?${new URLSearchParams(given)}`;
  }

  async signIn(person: Person): Promise<void> {
    const { reply } = await this.browser.signIn(person);
    if (reply.status >= 400) throw new LeftOut(`signing in was answered with ${reply.status}`);
  }

  /** The page that asks for consent, of somebody who is signed in. */
  async consent(changes: Readonly<Record<string, string | undefined>> = {}): Promise<Page> {
    return await this.browser.open(this.authorizePath(changes));
  }

  /** A code, of somebody who is signed in and allows it. */
  async code(): Promise<string> {
    const { leaves, reply } = await this.browser.press(await this.consent(), 'Allow');
    const code = leaves?.searchParams.get('code');
    expectThat(
      typeof code === 'string' && code !== '',
      `allowing leads to no code but to ${leaves?.href ?? reply.status}`,
    );
    return code!;
  }

  token(fields: Readonly<Record<string, string>>): PendingReply {
    return this.#context.http.postForm('/oauth/token', fields);
  }

  redeem(code: string, changes: Readonly<Record<string, string>> = {}): PendingReply {
    return this.token({
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
      client_id: this.clientId,
      code_verifier: this.verifier,
      ...changes,
    });
  }

  refresh(token: string, changes: Readonly<Record<string, string>> = {}): PendingReply {
    return this.token({ grant_type: 'refresh_token', refresh_token: token, client_id: this.clientId, ...changes });
  }

  revoke(token: string): PendingReply {
    return this.#context.http.postForm('/oauth/revoke', { token, client_id: this.clientId });
  }

  /** A grant from the beginning. */
  async tokens(): Promise<{ access_token: string; refresh_token: string; created_at: number }> {
    return await prepared(this.redeem(await this.code()), 200);
  }
}

/** An app that has registered itself. */
export async function registerApp(context: Context): Promise<App> {
  const name = `Conformance ${freshWord()}`;
  const body = { client_name: name, redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: 'none' };
  const { client_id: id } = await prepared(context.http.post('/oauth/register', body), 201);
  return new App(context, id, name);
}

/** An app in whose browser the owner of the area's company is signed in. */
export async function appOfOwner(context: Context): Promise<App> {
  const [app, company] = [await registerApp(context), await context.companies.shared()];
  await app.signIn(company.owner);
  return app;
}

/** Requests with an access token. */
export function withToken(context: Context, token: string): ApiClient {
  return new ApiClient(context.network, context.target.baseUrl, '/api/v1', { Authorization: `Bearer ${token}` });
}
