import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { emptyResponse, jsonResponse, networkError, type SentRequest } from '../../test/scripted-fetch.ts';
import { Parley } from '../parley.ts';
import type { RenewTokens } from './token-credential.ts';
import type { OAuthTokens } from './tokens.ts';

const tokens = (n: number): OAuthTokens => ({ access_token: `at_${n}`, refresh_token: `rt_${n}`, expires_in: 7200 });

/** A service that accepts one access token, and one refresh token once. */
function service(options: { accepts?: number; refresh?: () => Promise<Response> } = {}) {
  let current = options.accepts ?? 2;
  const sent: SentRequest[] = [];
  const fetch = async (url: string, init: RequestInit) => {
    const headers = new Headers(init.headers);
    sent.push({ method: init.method!, url, headers, body: init.body?.toString() });
    if (url.endsWith('/oauth/token')) {
      if (options.refresh) return options.refresh();
      current = 2;
      return jsonResponse(tokens(2));
    }
    const isValid = headers.get('authorization') === `Bearer at_${current}`;
    return isValid ? jsonResponse({ id: 'com_1' }) : jsonResponse({ error: 'Invalid access token' }, 401);
  };
  const refreshes = () => sent.filter(({ url }) => url.endsWith('/oauth/token'));
  return { fetch: fetch as typeof globalThis.fetch, sent, refreshes };
}

const parleyWith = (
  fetch: typeof globalThis.fetch,
  onTokens: (stored: OAuthTokens) => void | Promise<void> = () => undefined,
) => {
  const oauth = { clientId: 'app_1', tokens: tokens(1), onTokens };
  return new Parley({ oauth, baseUrl: 'https://phone.example', fetch, maxRetries: 0 });
};

describe('the tokens of an app', () => {
  it('the tokens of an app are refreshed once for all requests that need it', async () => {
    const { fetch, refreshes, sent } = service();
    const parley = parleyWith(fetch);
    const companies = await Promise.all(Array.from({ length: 20 }, () => parley.company.get()));
    expect(companies).toHaveLength(20);
    expect(refreshes()).toHaveLength(1);
    expect(refreshes()[0]!.body).toBe('grant_type=refresh_token&client_id=app_1&refresh_token=rt_1');
    expect(sent).toHaveLength(41);
  });

  it('the tokens of an app are stored before one of them is used', async () => {
    const events: string[] = [];
    const { fetch } = service();
    const watched = (async (url: string, init: RequestInit) => {
      events.push(new Headers(init.headers).get('authorization') ?? 'refresh');
      return fetch(url, init);
    }) as typeof globalThis.fetch;
    const parley = parleyWith(watched, async ({ access_token: stored }) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      events.push(`stored ${stored}`);
    });
    const first = parley.company.get();
    await new Promise((resolve) => setTimeout(resolve, 10));
    // Begins while they are being stored.
    await Promise.all([first, parley.company.get()]);
    expect(events).toEqual(['Bearer at_1', 'refresh', 'stored at_2', 'Bearer at_2', 'Bearer at_2']);
  });

  it('the tokens of an app are stored later when that has failed, without spending the new refresh token', async () => {
    const { fetch, refreshes } = service();
    const stored: string[] = [];
    let isFull = true;
    const parley = parleyWith(fetch, ({ refresh_token: token }) => {
      if (isFull) throw new Error('the disk is full');
      stored.push(token);
    });
    await expect(parley.company.get()).rejects.toThrow('the disk is full');
    isFull = false;
    await parley.company.get();
    expect([stored, refreshes().length]).toEqual([['rt_2'], 1]);
  });

  it('the tokens of an app are refreshed once for a request, however often it is refused', async () => {
    const { fetch, refreshes } = service({ refresh: () => Promise.resolve(jsonResponse(tokens(9))) });
    await expect(parleyWith(fetch).company.get()).rejects.toMatchObject({ name: 'AuthenticationError', status: 401 });
    expect(refreshes()).toHaveLength(1);
  });

  it.each([
    ['the grant has ended', jsonResponse({ error: 'invalid_grant' }, 400), 'AuthenticationError'],
    ['the service is away', emptyResponse(503), 'ServerError'],
    ['there are none in the response', jsonResponse({ access_token: 'at_2' }), 'ServerError'],
  ])('the tokens of an app cannot be refreshed when %s', async (_name, response, name) => {
    const { fetch } = service({ refresh: () => Promise.resolve(response.clone()) });
    const parley = parleyWith(fetch);
    const failures = await Promise.allSettled([parley.company.get(), parley.company.get()]);
    expect(failures).toMatchObject([{ reason: { name } }, { reason: { name } }]);
  });

  it('the tokens of an app are refreshed by a later request when the service could not be reached', async () => {
    let isAway = true;
    const { fetch } = service({
      accepts: 2,
      refresh: () => (isAway ? Promise.reject(networkError('ECONNREFUSED')) : Promise.resolve(jsonResponse(tokens(2)))),
    });
    const parley = parleyWith(fetch);
    await expect(parley.company.get()).rejects.toMatchObject({ name: 'ConnectionError' });
    isAway = false;
    expect(await parley.company.get()).toEqual({ id: 'com_1' });
  });

  it('the tokens of an app are neither in the client nor in an error', async () => {
    const echo = async (_url: string, init: RequestInit) => {
      const said = `${new Headers(init.headers).get('authorization')} ${init.body?.toString()}`;
      return jsonResponse({ error: 'invalid_grant', error_description: said }, 401);
    };
    const parley = parleyWith(echo as unknown as typeof globalThis.fetch);
    const error = await parley.company.get().catch((thrown: unknown) => thrown);
    const shown = inspect([parley, error], { depth: 9, showHidden: true }) + JSON.stringify([parley, error]);
    expect(shown).not.toMatch(/[ar]t_1/);
    expect(shown).toContain('[redacted]');
  });

  it('the tokens of an app that several processes share are those that another process has stored meanwhile', async () => {
    const { fetch, refreshes } = service();
    const refused: OAuthTokens[] = [];
    const oauth = {
      clientId: 'app_1',
      tokens: tokens(1),
      renewTokens: async (spent: OAuthTokens) => {
        refused.push(spent);
        return tokens(2);
      },
    };
    const parley = new Parley({ oauth, baseUrl: 'https://phone.example', fetch, maxRetries: 0 });
    expect(await parley.company.get()).toEqual({ id: 'com_1' });
    expect([refused, refreshes().length]).toEqual([[tokens(1)], 0]);
  });

  it('the tokens of an app that several processes share are refreshed by the one that may', async () => {
    const { fetch, refreshes } = service();
    const stored: OAuthTokens[] = [];
    const renewTokens: RenewTokens = async ({ refresh_token: spent }, refresh) => {
      stored.push(await refresh(spent));
      return stored[0]!;
    };
    const oauth = { clientId: 'app_1', tokens: tokens(1), renewTokens };
    const parley = new Parley({ oauth, baseUrl: 'https://phone.example', fetch, maxRetries: 0 });
    await Promise.all([parley.company.get(), parley.company.get()]);
    expect([stored, refreshes().length]).toEqual([[tokens(2)], 1]);
  });
});
