import { beforeAll, describe, expect, it } from '@jest/globals';
import { operate, send, sharedStack, succeeded } from '../support/api.ts';
import { HOME, newPerson, PASSWORD, type Person, setPassword, signIn } from './people.ts';
import { visit } from './visitor.ts';

const stack = sharedStack();
let person: Person;
beforeAll(async () => {
  person = await newPerson();
});

const contactsWith = (apiKey: string) =>
  send('GET', `${stack.base_url}/api/v1/contacts`, { headers: { 'X-Api-Key': apiKey } });

describe('signing in', () => {
  it('signing in takes an e-mail address and a password, and ends on the dashboard', async () => {
    const page = await signIn(person);
    expect([page.status, new URL(page.url).pathname]).toEqual([200, HOME.path]);
    expect(page.text).toContain('Sign out');
  });

  it.each([
    ['a wrong password', (email: string) => ({ Email: email, Password: 'not the password' })],
    ['an unknown address', () => ({ Email: 'nobody@example.com', Password: PASSWORD })],
    ['nothing', () => ({ Email: '', Password: '' })],
  ])('signing in with %s is refused with the same message, and opens no session', async (_case, values) => {
    const visitor = visit(stack.base_url);
    const page = await visitor.press(await visitor.open('/signin'), 'Sign in', values(person.email));
    expect(page.status).toBe(422);
    expect(page.text).toContain('Email or password is wrong.');
    expect([...visitor.cookies.keys()]).toEqual(['parley_form']);
  });

  it('signing in keeps a refused address in its field, as plain text and not endlessly', async () => {
    const visitor = visit(stack.base_url);
    const typed = `"><script>alert(1)</script>${'a'.repeat(400)}`;
    const page = await visitor.press(await visitor.open('/signin'), 'Sign in', { Email: typed, Password: 'wrong' });
    expect(page.value('Email')).toBe(typed.slice(0, 320));
  });

  it('signing in does not care how the address is capitalised', async () => {
    const shouting = { ...visit(stack.base_url), email: person.email.toUpperCase() };
    const page = await signIn({ ...person, ...shouting });
    expect(new URL(page.url).pathname).toBe(HOME.path);
  });

  it('signing in gives the browser a new session, so one planted beforehand is worth nothing', async () => {
    const other = { ...person, ...visit(stack.base_url) };
    await signIn(other);
    const before = other.cookies.get('parley_session');
    const victim = { ...person, ...visit(stack.base_url) };
    victim.cookies.set('parley_session', 'ss_planted');
    await signIn(victim);
    expect(victim.cookies.get('parley_session')).not.toBe('ss_planted');
    expect(victim.cookies.get('parley_session')).not.toBe(before);
  });

  it('signing in sets cookies that no script can read and no other site can send', async () => {
    const fresh = { ...person, ...visit(stack.base_url) };
    const page = await fresh.open('/signin');
    const body = page.fields('Sign in');
    body.set('email', person.email);
    body.set('password', PASSWORD);
    const response = await fresh.request('/signin', { method: 'POST', body });
    const cookies = response.headers.getSetCookie();
    expect(cookies.length).toBeGreaterThan(0);
    for (const cookie of cookies) expect(cookie).toMatch(/; HttpOnly; SameSite=Lax/);
  });

  it.each([
    '//evil.example',
    'https://evil.example/',
    '/\\evil.example',
    '/dashboard\\..',
    'javascript:alert(1)',
    '/signin',
  ])('signing in never leads to another site: %s', async (target) => {
    const fresh = { ...person, ...visit(stack.base_url) };
    const page = await signIn(fresh, `/signin?return_to=${encodeURIComponent(target)}`);
    expect(new URL(page.url).pathname).toBe(HOME.path);
  });

  it('signing in ends after signing out, also with a kept cookie', async () => {
    const fresh = { ...person, ...visit(stack.base_url) };
    const dashboard = await signIn(fresh);
    const kept = fresh.cookies.get('parley_session') ?? '';
    await fresh.press(dashboard, 'Sign out');
    fresh.cookies.set('parley_session', kept);
    expect(new URL((await fresh.open('/dashboard/api-keys')).url).pathname).toBe('/signin');
  });

  it('signing in is over everywhere when the password changes', async () => {
    const changing = await newPerson();
    await signIn(changing);
    expect(await setPassword(changing, 'another good password')).toBe(204);
    expect(new URL((await changing.open('/dashboard/api-keys')).url).pathname).toBe('/signin');
    expect((await signIn(changing)).status).toBe(422);
    expect((await signIn(changing, '/signin', 'another good password')).status).toBe(200);
  });
});

describe('a new password', () => {
  it('a new password keeps this browser signed in and no other', async () => {
    const owner = await newPerson();
    const other = { ...owner, ...visit(stack.base_url) };
    await signIn(other);
    await signIn(owner);
    const change = async (current: string, password: string) =>
      (await owner.account('PUT', '/password', { current_password: current, password })).status;
    expect(await change('wrong', 'another good password')).toBe(422);
    expect(await change(PASSWORD, 'short')).toBe(422);
    expect(await change(PASSWORD, 'another good password')).toBe(200);
    expect(new URL((await owner.open('/dashboard/sessions')).url).pathname).toBe('/dashboard/sessions');
    expect(new URL((await other.open('/dashboard/sessions')).url).pathname).toBe('/signin');
    expect((await signIn(other, '/signin', 'another good password')).status).toBe(200);
  });
});

describe('too many attempts', () => {
  it('too many attempts are limited for the attacker, not for the owner on a known browser', async () => {
    const owner = await newPerson();
    await signIn(owner);
    const thief = { ...owner, ...visit(stack.base_url) };
    const guesses = await Promise.all(
      Array.from({ length: 25 }, async (_, n) => (await signIn(thief, '/signin', `guess number ${n}`)).status),
    );
    expect(guesses.filter((status) => status === 422)).toHaveLength(10);
    expect(guesses.filter((status) => status === 429)).toHaveLength(15);
    const late = await signIn(thief);
    expect(late.status).toBe(429);
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0);

    await owner.press(await owner.open(HOME.path), 'Sign out');
    expect((await signIn(owner)).status).toBe(200);
  });
});

describe('API keys of an employee', () => {
  const createKey = async (owner: Person, name: string): Promise<string> =>
    (await owner.account('POST', '/api_keys', { name })).body.api_key;

  it('a new key is returned once, and works until it is revoked', async () => {
    const owner = await newPerson();
    await signIn(owner);
    const key = await createKey(owner, 'Webshop');
    expect(key).toMatch(/^pk_[\w-]{43}$/);
    expect((await contactsWith(key)).status).toBe(200);

    const { body: keys } = await owner.account('GET', '/api_keys');
    const created = keys.find(({ name }: { name: string }) => name === 'Webshop');
    expect(JSON.stringify(keys)).not.toContain(key);

    expect((await owner.account('DELETE', `/api_keys/${created.id}`)).status).toBe(204);
    const refused = await contactsWith(key);
    expect([refused.status, refused.body]).toEqual([401, { error: 'Invalid API key' }]);
  });

  it('after a rotation both keys work for the chosen time, with none only the new one', async () => {
    const owner = await newPerson();
    await signIn(owner);
    const first = await createKey(owner, 'Rotating');
    const { body: keys } = await owner.account('GET', '/api_keys');
    const { id } = keys.find(({ name }: { name: string }) => name === 'Rotating');
    const rotate = (hours: number) => owner.account('POST', `/api_keys/${id}/rotation`, { old_key_valid_hours: hours });
    const second = (await rotate(1)).body.api_key;
    expect([(await contactsWith(first)).status, (await contactsWith(second)).status]).toEqual([200, 200]);
    const third = (await rotate(0)).body.api_key;
    const statuses = await Promise.all([first, second, third].map(async (key) => (await contactsWith(key)).status));
    expect(statuses).toEqual([401, 401, 200]);
    expect((await rotate(25)).status).toBe(422);
  });

  it('a key without a name and the fifty-first key are refused', async () => {
    const owner = await newPerson();
    await signIn(owner);
    expect((await owner.account('POST', '/api_keys', { name: '  ' })).status).toBe(422);
    const createByOperator = () => operate(stack, 'POST', `/employees/${owner.employeeId}/api_keys`, { name: 'key' });
    for (let keys = 0; keys < 49; keys += 7)
      await Promise.all(Array.from({ length: 7 }, () => succeeded(createByOperator())));
    const refused = await owner.account('POST', '/api_keys', { name: 'one too many' });
    expect([refused.status, refused.body.code]).toEqual([422, 'limit_reached']);
    const byOperator = await createByOperator();
    expect([byOperator.status, byOperator.body.code]).toEqual([422, 'limit_reached']);
  });

  it('the key of another employee cannot be changed', async () => {
    const [owner, other] = [await newPerson(), await newPerson()];
    const theirs = operate(stack, 'POST', `/employees/${other.employeeId}/api_keys`, { name: 'theirs' });
    const { body: key } = await succeeded(theirs);
    await signIn(owner);
    expect((await owner.account('DELETE', `/api_keys/${key.id}`)).status).toBe(404);
    expect((await contactsWith(key.api_key)).status).toBe(200);
  });

  it('a request of another site creates no API key', async () => {
    const owner = await newPerson();
    await signIn(owner);
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of foreign) {
      const refused = await owner.account('POST', '/api_keys', { name: 'evil' }, headers);
      expect([headers, refused.status]).toEqual([headers, 401]);
    }
    expect(JSON.stringify((await owner.account('GET', '/api_keys')).body)).not.toContain('evil');
  });
});

describe('a form', () => {
  it('a form from another site does nothing', async () => {
    const owner = await newPerson();
    const body = (await signIn(owner)).fields('Sign out');
    const otherToken = (await owner.open('/signin')).fields('Sign in').get('form_token') ?? '';
    const attempts: [string, RequestInit & { headers?: Record<string, string> }][] = [
      ['a foreign origin', { body, headers: { origin: 'https://evil.example' } }],
      ['an opaque origin', { body, headers: { origin: 'null' } }],
      ['a cross-site fetch', { body, headers: { 'sec-fetch-site': 'cross-site' } }],
      ['no token', { body: new URLSearchParams() }],
      ['the token of another form', { body: new URLSearchParams({ form_token: otherToken }) }],
      ['two tokens', { body: `${body}&${body}`, headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
      ['JSON', { body: JSON.stringify(Object.fromEntries(body)), headers: { 'content-type': 'application/json' } }],
    ];
    for (const [attempt, init] of attempts) {
      const response = await owner.request('/signout', { method: 'POST', ...init });
      expect([attempt, response.status]).toEqual([attempt, 403]);
    }
    expect(new URL((await owner.open(HOME.path)).url).pathname).toBe(HOME.path);
  });

  it('a form is good for the session it was made for only', async () => {
    const [owner, other] = [await newPerson(), await newPerson()];
    const body = (await signIn(other)).fields('Sign out');
    await signIn(owner);
    expect((await owner.request('/signout', { method: 'POST', body })).status).toBe(403);
  });
});

describe('every page', () => {
  it.each([
    '/signin',
    '/invitation?token=x',
    '/forgot-password',
    '/reset-password?token=x',
    '/oauth/authorize',
    '/dashboard/api-keys',
    '/dashboard/connected-apps',
    '/dashboard/sessions',
    '/dashboard/security',
  ])('the page %s cannot be framed, cached or made to run a script', async (path) => {
    await signIn(person);
    const page = await person.open(path);
    const policy = page.headers.get('content-security-policy') ?? '';
    for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"])
      expect(policy).toContain(rule);
    expect(policy).not.toMatch(/script-src (?!'self';)|unsafe/);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.html).not.toMatch(/<script(?! type="module" src="\/assets\/app.js"><\/script>)|\son\w+=|style=/i);
  });
});

describe('the sessions of an employee', () => {
  it('the sessions of an employee are listed, and the one that is revoked ends', async () => {
    const owner = await newPerson();
    const other = { ...owner, ...visit(stack.base_url) };
    await signIn(owner);
    await signIn(other);
    const { body: sessions } = await owner.account('GET', '/sessions');
    expect(sessions).toHaveLength(2);
    const others = sessions.find((session: { is_current: boolean }) => !session.is_current);
    expect((await owner.account('DELETE', `/sessions/${others.id}`)).status).toBe(204);
    expect(new URL((await other.open('/dashboard/sessions')).url).pathname).toBe('/signin');
    expect(new URL((await owner.open('/dashboard/sessions')).url).pathname).toBe('/dashboard/sessions');
  });
});
