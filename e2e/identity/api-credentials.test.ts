import { describe, expect, it } from '@jest/globals';
import { send, sharedStack } from '../support/api.ts';
import { newTokens, registerApp } from './app.ts';
import { newPerson } from './people.ts';

const stack = sharedStack();

describe('a credential on the API', () => {
  const ask = (headers: Record<string, string>) => send('GET', `${stack.base_url}/api/v1/contacts`, { headers });

  it.each([
    ['nothing', {}, 'Missing credentials', 'Bearer error="invalid_token"'],
    ['an empty bearer', { Authorization: 'Bearer ' }, expect.any(String), 'Bearer error="invalid_token"'],
    ['another scheme', { Authorization: 'Basic eDp5' }, expect.any(String), 'Bearer error="invalid_token"'],
    ['an unknown token', { Authorization: 'Bearer at_unknown' }, expect.any(String), 'Bearer error="invalid_token"'],
    ['an unknown key', { 'X-Api-Key': 'pk_unknown' }, 'Invalid API key', null],
  ])('a request with %s is 401', async (_case, headers, error, challenge401) => {
    const reply = await ask(headers as Record<string, string>);
    expect([reply.status, reply.body]).toEqual([401, { error }]);
    if (challenge401) expect(reply.headers.get('www-authenticate')).toBe(challenge401);
  });

  it('a credential sent as key and token counts as the token', async () => {
    const person = await newPerson();
    const tokens = await newTokens(person, await registerApp());
    const authorization = { Authorization: `Bearer ${tokens.access_token}` };
    expect((await ask({ ...authorization, 'X-Api-Key': 'pk_unknown' })).status).toBe(200);
    expect((await ask({ Authorization: 'Bearer at_unknown', 'X-Api-Key': person.apiKey })).status).toBe(401);
  });
});
