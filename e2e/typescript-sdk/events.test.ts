import { describe, expect, it } from '@jest/globals';
import { type OAuthTokens, Parley, ParleyOAuth } from '@parley/sdk';
import { allow, REDIRECT_URI } from '../identity/app.ts';
import { newPerson } from '../identity/people.ts';
import { createTestCompany, operate, sharedStack, succeeded } from '../support/api.ts';

const stack = sharedStack();
let numbers = 0;

/** The events of a reader as far as they have come. */
function collect(events: ReturnType<Parley['events']['follow']>, count: number) {
  const names: string[] = [];
  let last: string | undefined;
  const done = (async () => {
    for await (const { event, cursor } of events) {
      names.push(event.event === 'contact.created' ? String(event.data.contact.name) : event.event);
      last = cursor;
      if (names.length === count) break;
    }
    return { names, cursor: last };
  })();
  return { done, names };
}

const addContacts = async (parley: Parley, names: readonly string[]) => {
  for (const name of names) await parley.contacts.create({ phone: `+45${21_000_000 + (numbers += 1)}`, name });
};

const newParley = async (options: { WebSocket?: null } = {}) => {
  const company = await createTestCompany();
  return { company, parley: new Parley({ apiKey: company.apiKey, baseUrl: stack.base_url, ...options }) };
};

describe('the events that the TypeScript client follows', () => {
  it.each([
    ['by the live channel', {}],
    ['by reading the log, without WebSockets', { WebSocket: null }],
  ])('the events that the TypeScript client follows go on where a reader has stopped, %s', async (_name, options) => {
    const { parley } = await newParley(options);
    // The log begins with its first reader.
    const { nextCursor } = await parley.events.list();
    await addContacts(parley, ['a', 'b', 'c']);
    const first = await collect(parley.events.follow({ after: nextCursor!, types: ['contact.created'] }), 2).done;
    expect(first.names).toEqual(['a', 'b']);
    const following = collect(parley.events.follow({ after: first.cursor, types: ['contact.*'] }), 4);
    await addContacts(parley, ['d', 'e', 'f']);
    expect((await following.done).names).toEqual(['c', 'd', 'e', 'f']);
    const listed = await Array.fromAsync(
      parley.events.list({ after: nextCursor!, types: ['contact.created'], limit: 2 }),
    );
    expect(listed).toHaveLength(6);
    expect(await parley.events.get(listed[0]!.id)).toEqual(listed[0]);
  });

  it('the events that the TypeScript client follows end when the role, the key or the cursor does not allow it', async () => {
    const { company, parley } = await newParley();
    await expect(parley.events.follow({ after: 'damaged' }).next()).rejects.toMatchObject({
      name: 'ValidationError',
      code: 'invalid_cursor',
    });
    const path = `/employees/${company.owner.id}/api_keys`;
    const { body: key } = await succeeded(operate(stack, 'POST', path, { name: 'Revoked' }));
    const revoked = new Parley({ apiKey: key.api_key, baseUrl: stack.base_url });
    const { nextCursor } = await revoked.events.list();
    const events = revoked.events.follow({ after: nextCursor! });
    await addContacts(parley, ['a']);
    expect((await events.next()).value).toMatchObject({ event: { event: 'contact.created' } });
    await succeeded(operate(stack, 'DELETE', `/api_keys/${key.id}`));
    await expect(events.next()).rejects.toMatchObject({ name: 'AuthenticationError' });
  });

  it('the events that the TypeScript client follows come once each while the tokens of an app are replaced', async () => {
    const person = await newPerson();
    const oauth = new ParleyOAuth({ baseUrl: stack.base_url, redirectUri: REDIRECT_URI });
    const { client_id: clientId } = await oauth.register({ redirect_uris: [REDIRECT_URI] });
    const { url } = await oauth.authorizationUrl();
    const tokens = await oauth.callback(await allow(person, url.slice(stack.base_url.length)));
    const stored: OAuthTokens[] = [tokens];
    const onTokens = (issued: OAuthTokens) => void stored.push(issued);
    const app = new Parley({ baseUrl: stack.base_url, oauth: { clientId, tokens, onTokens } });
    const owner = new Parley({ baseUrl: stack.base_url, apiKey: person.apiKey });
    const { nextCursor } = await app.events.list();
    const following = collect(app.events.follow({ after: nextCursor!, types: ['contact.created'] }), 3);
    await addContacts(owner, ['a']);
    await oauth.revoke(tokens.access_token);
    await addContacts(owner, ['b', 'c']);
    expect((await following.done).names).toEqual(['a', 'b', 'c']);
    expect(stored.length).toBeGreaterThan(1);
  });
});
