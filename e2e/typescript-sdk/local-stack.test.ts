import { beforeAll, describe, expect, it } from '@jest/globals';
import { NotFoundError, type OAuthTokens, Parley, ParleyOAuth } from '@parley/sdk';
import { verifyWebhook } from '@parley/sdk/webhooks';
import { allow, REDIRECT_URI } from '../identity/app.ts';
import { allowDevice, denyDevice } from '../identity/device.ts';
import { newPerson } from '../identity/people.ts';
import { startTexting, type Texting } from '../messages/texting.ts';
import { type Company, createTestCompany, sharedStack } from '../support/api.ts';
import { openHook } from '../webhooks/hooks.ts';

const stack = sharedStack();
let company: Company;
let parley: Parley;
beforeAll(async () => {
  company = await createTestCompany();
  parley = new Parley({ apiKey: company.apiKey, baseUrl: stack.base_url });
});

/** A `fetch` whose first responses are lost: the service has executed the requests. */
function losingFetch(lost: number, path: string): { fetch: typeof globalThis.fetch; sent: () => number } {
  let sent = 0;
  const fetch = async (url: string, init: RequestInit) => {
    const response = await globalThis.fetch(url, init);
    if (!url.includes(path)) return response;
    sent += 1;
    if (sent > lost) return response;
    await response.arrayBuffer();
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }) });
  };
  return { fetch: fetch as typeof globalThis.fetch, sent: () => sent };
}

describe('the TypeScript client', () => {
  it('the TypeScript client creates, reads, changes, lists and deletes contacts', async () => {
    const created = await parley.contacts.create({ phone: '20 30 40 50', name: 'Ane' });
    expect(created).toMatchObject({ name: 'Ane', phone: '+4520304050' });
    expect(await parley.contacts.update(created.id, { note: 'Calls on Mondays' })).toMatchObject({ name: 'Ane' });
    expect(await parley.contacts.get(created.id)).toMatchObject({ note: 'Calls on Mondays' });
    for (let n = 0; n < 5; n++) await parley.contacts.create({ phone: `+452030405${n + 1}`, name: `Contact ${n}` });
    const first = await parley.contacts.list({ limit: 2 });
    expect([first.data.length, (await first.nextPage())!.data.length]).toEqual([2, 2]);
    const names = await Array.fromAsync(parley.contacts.list({ limit: 2, query: 'Contact' }), ({ name }) => name);
    expect(names.toSorted()).toEqual(['Contact 0', 'Contact 1', 'Contact 2', 'Contact 3', 'Contact 4']);
    expect(await parley.contacts.export()).toContain('Ane');
    expect(await parley.contacts.delete(created.id)).toBeUndefined();
    await expect(parley.contacts.get(created.id)).rejects.toBeInstanceOf(NotFoundError);
  });

  it('the TypeScript client names what is wrong', async () => {
    await expect(parley.contacts.create({ phone: 'no number', name: 'Ane' })).rejects.toMatchObject({
      name: 'ValidationError',
      status: 422,
      code: 'validation_failed',
      fields: { phone: [expect.any(String)] },
      requestId: expect.any(String),
    });
    const stranger = new Parley({ apiKey: 'pk_wrong', baseUrl: stack.base_url });
    await expect(stranger.company.get()).rejects.toMatchObject({ name: 'AuthenticationError', status: 401 });
    const away = new Parley({ apiKey: 'pk_1', baseUrl: 'http://127.0.0.1:9', maxRetries: 1 });
    await expect(away.company.get()).rejects.toMatchObject({ name: 'ConnectionError' });
  });

  it('the TypeScript client gives nothing while there is no call, and a page for a list without pages', async () => {
    expect(await parley.calls.getActive()).toBeUndefined();
    const { data, nextCursor } = await parley.employees.list();
    expect([data.map(({ id }) => id), nextCursor]).toEqual([[company.owner.id], null]);
    expect((await parley.webhooks.list()).data).toEqual([]);
  });

  it('the TypeScript client repeats a DELETE whose response was lost', async () => {
    const { fetch, sent } = losingFetch(1, '/text_snippets/');
    const repeating = new Parley({ apiKey: texting.company.apiKey, baseUrl: stack.base_url, fetch });
    const { id } = await repeating.textSnippets.create({ title: 'Hours', text: 'We are open until five.' });
    await repeating.textSnippets.delete(id);
    expect(sent()).toBe(2);
  });

  let texting: Texting;
  beforeAll(async () => {
    texting = await startTexting();
  });

  it('the TypeScript client sends a text once, however many responses are lost', async () => {
    const { fetch, sent } = losingFetch(2, '/messages');
    const sending = new Parley({ apiKey: texting.company.apiKey, baseUrl: stack.base_url, fetch });
    const to = texting.customer();
    const message = await sending.messages.send(texting.number.id, { to, text: 'Your bicycle is ready.' });
    expect(message).toMatchObject({ to, text: 'Your bicycle is ready.' });
    expect(sent()).toBe(3);
    expect(await texting.submitted(to)).toHaveLength(1);
  });

  it('the TypeScript client sends a text once, also when the program ended and begins again with its key', async () => {
    const to = texting.customer();
    const text = { to, text: 'Your order has left.' };
    const { fetch } = losingFetch(1, '/messages');
    const killed = new Parley({ apiKey: texting.company.apiKey, baseUrl: stack.base_url, fetch, maxRetries: 0 });
    const key = { idempotencyKey: `order-${texting.number.id}` };
    await expect(killed.messages.send(texting.number.id, text, key)).rejects.toMatchObject({ name: 'ConnectionError' });
    const started = new Parley({ apiKey: texting.company.apiKey, baseUrl: stack.base_url });
    await started.messages.send(texting.number.id, text, key);
    expect(await texting.submitted(to)).toHaveLength(1);
  });

  it('the TypeScript client verifies what webhooks receive, also while their secret is replaced', async () => {
    const hook = openHook(company);
    const { id, secret } = await parley.webhooks.create({ name: 'Own', url: hook.url, events: ['contact.created'] });
    await parley.contacts.create({ phone: '+4520405060', name: 'Bo' });
    const [first] = await hook.has(1);
    const event = await verifyWebhook(first!.raw_body, first!.headers, secret);
    expect(event).toEqual(first!.body);
    const { secret: next } = await parley.webhooks.rotateSecret(id);
    await parley.contacts.create({ phone: '+4520405061', name: 'Ea' });
    const [, second] = await hook.has(2);
    for (const known of [secret, next])
      expect(await verifyWebhook(second!.raw_body, second!.headers, known)).toBeDefined();
    await expect(verifyWebhook(first!.raw_body, first!.headers, next)).rejects.toMatchObject({
      reason: 'signature_mismatch',
    });
  });

  it('the TypeScript client acts for an employee who allows it, and refreshes its tokens once for all requests', async () => {
    const person = await newPerson();
    const oauth = new ParleyOAuth({ baseUrl: stack.base_url, redirectUri: REDIRECT_URI });
    const { client_id: clientId } = await oauth.register({ client_name: 'Calendar', redirect_uris: [REDIRECT_URI] });
    const { url } = await oauth.authorizationUrl();
    const tokens = await oauth.callback(await allow(person, url.slice(stack.base_url.length)));
    let requests = 0;
    const fetch = ((input: string, init: RequestInit) => {
      if (input.endsWith('/oauth/token')) requests += 1;
      return globalThis.fetch(input, init);
    }) as typeof globalThis.fetch;
    const stored: OAuthTokens[] = [];
    const onTokens = (issued: OAuthTokens) => void stored.push(issued);
    const app = new Parley({ baseUrl: stack.base_url, fetch, oauth: { clientId, tokens, onTokens } });
    expect((await app.employees.list()).data.map(({ id }) => id)).toEqual([person.employeeId]);
    await oauth.revoke(tokens.access_token);
    const companies = await Promise.all(Array.from({ length: 10 }, () => app.company.get()));
    expect(new Set(companies.map(({ id }) => id))).toEqual(new Set([person.companyId]));
    expect([requests, stored.length]).toEqual([1, 1]);
    await oauth.revoke(stored[0]!.refresh_token);
    await expect(app.company.get()).rejects.toMatchObject({ name: 'AuthenticationError', code: 'invalid_grant' });
  });

  it('the TypeScript client waits as a program without a browser until the employee allows it', async () => {
    const person = await newPerson();
    const oauth = new ParleyOAuth({ baseUrl: stack.base_url, clientId: 'parley-cli', userAgent: 'example/1.0' });
    const device = await oauth.deviceAuthorization();
    expect(device).toMatchObject({
      verification_uri: `${stack.base_url}/device`,
      verification_uri_complete: `${stack.base_url}/device?user_code=${device.user_code}`,
      expires_in: 600,
    });
    const [tokens] = await Promise.all([device.tokens(), allowDevice(person, device.user_code)]);
    const app = new Parley({
      baseUrl: stack.base_url,
      oauth: { clientId: 'parley-cli', tokens, onTokens: () => undefined },
    });
    expect((await app.company.get()).id).toBe(person.companyId);

    const denied = await oauth.deviceAuthorization();
    await denyDevice(person, denied.user_code);
    await expect(denied.tokens()).rejects.toMatchObject({ code: 'access_denied' });
  }, 30_000);
});
