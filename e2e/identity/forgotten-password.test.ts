import { beforeAll, describe, expect, it } from '@jest/globals';
import { Secret, TOTP } from 'otpauth';
import { type Company, createTestCompany, send, sharedStack } from '../support/api.ts';
import { waitUntil } from '@parley/testkit/wait-until';
import { newTokens, registerApp, useToken } from './app.ts';
import { HOME, emailsTo, linkTo, newPerson, type Person, signIn } from './people.ts';
import { type Page, visit, type Visitor } from './visitor.ts';

const stack = sharedStack();
const NEW_PASSWORD = 'a password I will remember';
const chosen = { Password: NEW_PASSWORD, 'Repeat password': NEW_PASSWORD };

const pathOf = (page: Page) => new URL(page.url).pathname;
async function requestLink(browser: Visitor, email: string): Promise<Page> {
  return browser.press(await browser.open('/forgot-password'), 'Send link', { Email: email });
}

describe('an employee who forgot the password', () => {
  let owner: Person;
  beforeAll(async () => {
    owner = await newPerson();
  });

  it('an employee who forgot the password gets a link by e-mail, chooses another password and signs in with it, second factor included', async () => {
    const { code } = await switchTwoFactorOn(owner);
    const tokens = await newTokens(owner, await registerApp());

    const visitor = visit(stack.base_url);
    const signInPage = await visitor.open('/signin');
    expect(signInPage.html).toContain('<a href="/forgot-password">Forgot your password?</a>');
    expect((await requestLink(visitor, owner.email)).status).toBe(200);
    const link = await linkTo(owner.email);
    expect(await emailsTo(owner.email)).toMatchObject([{ subject: 'Choose a new password for Parley' }]);

    const page = await visitor.open(link);
    expect(page.text).toContain(owner.email);
    const different = { Password: NEW_PASSWORD, 'Repeat password': 'something else' };
    expect((await visitor.press(page, 'Set password', different)).status).toBe(422);
    const short = await visitor.press(page, 'Set password', { Password: 'short', 'Repeat password': 'short' });
    expect([short.status, short.text]).toEqual([422, expect.stringContaining('The password is too short')]);
    expect(pathOf(await owner.open('/dashboard/sessions'))).toBe('/dashboard/sessions');

    const done = await visitor.press(short, 'Set password', chosen);
    expect([done.status, done.text]).toEqual([200, expect.stringContaining('Your password is changed')]);
    expect(visitor.cookies.has('parley_session')).toBe(false);
    expect(pathOf(await owner.open('/dashboard/sessions'))).toBe('/signin');
    expect((await visitor.open(link)).status).toBe(404);

    // API keys stay valid: they do not depend on the password.
    expect((await useToken(tokens.access_token)).status).toBe(200);
    const withKey = { headers: { 'X-Api-Key': owner.apiKey } };
    expect((await send('GET', `${stack.base_url}/api/v1/contacts`, withKey)).status).toBe(200);

    expect((await signIn(owner)).status).toBe(422);
    const half = await signIn(owner, '/signin', NEW_PASSWORD);
    expect(pathOf(await owner.open('/dashboard/api-keys'))).toBe('/signin');
    expect(pathOf(await owner.press(half, 'Sign in', { 'One-time code': code() }))).toBe(HOME.path);

    const [note] = await waitUntil(
      async () => {
        const emails = await emailsTo(owner.email);
        return emails.length === 2 && emails;
      },
      { what: 'the note' },
    );
    expect(note?.subject).toBe('Your Parley password was changed');
    expect(note?.text).not.toContain('token=');
  });

  it('an employee who forgot the password has one link at a time, the newest', async () => {
    const person = await newPerson();
    await requestLink(person, person.email);
    const first = await linkTo(person.email);
    await requestLink(person, person.email);
    const second = await linkTo(person.email, 2);
    expect([(await person.open(first)).status, (await person.open(second)).status]).toEqual([404, 200]);
  });

  it('an employee who forgot the password gets the same response as for an unknown address', async () => {
    const browser = visit(stack.base_url);
    const known = await requestLink(browser, (await newPerson()).email);
    for (const email of ['nobody@example.com', 'not an address', '', 'x'.repeat(100_000)]) {
      const unknown = await requestLink(browser, email);
      expect([unknown.status, unknown.html]).toEqual([known.status, known.html]);
    }
    expect(await emailsTo('nobody@example.com')).toEqual([]);
  });

  it.each(['somebody', 'nobody'])(
    'an employee who forgot the password is not sent more than five e-mails an hour, be it %s',
    async (who) => {
      const person = await newPerson();
      const email = who === 'somebody' ? person.email : `not.${person.email}`;
      const pages = await Promise.all(Array.from({ length: 8 }, () => requestLink(visit(stack.base_url), email)));
      expect(pages.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
      const refused = pages.find(({ status }) => status === 429);
      expect(refused?.text).toContain('Too many attempts');
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    },
  );

  it('an employee who forgot the password has forms that no other site can send', async () => {
    const person = await newPerson();
    const body = (await person.open('/forgot-password')).fields('Send link');
    body.set('email', person.email);
    const headers = { origin: 'https://evil.example' };
    expect((await person.request('/forgot-password', { method: 'POST', body, headers })).status).toBe(403);
    body.delete('form_token');
    expect((await person.request('/forgot-password', { method: 'POST', body })).status).toBe(403);

    await requestLink(person, person.email);
    const reset = (await person.open(await linkTo(person.email))).fields('Set password');
    for (const name of ['password', 'repeat_password']) reset.set(name, NEW_PASSWORD);
    expect((await person.request('/reset-password', { method: 'POST', body: reset, headers })).status).toBe(403);
    reset.delete('form_token');
    expect((await person.request('/reset-password', { method: 'POST', body: reset })).status).toBe(403);
    expect(await emailsTo(person.email)).toHaveLength(1);
    expect((await signIn(person)).status).toBe(200);
  });
});

describe('an employee of a company', () => {
  let company: Company;
  let hired = 0;
  beforeAll(async () => {
    company = await createTestCompany();
  });
  async function hire(): Promise<{ id: string; email: string }> {
    const email = `forgetful.${process.pid}.${(hired += 1)}.${Math.random().toString(36).slice(2)}@example.com`;
    const { status, body } = await company.call('POST', '/employees', { name: 'Emil Employee', email });
    expect(status).toBe(201);
    return { id: body.id, email };
  }

  it('an employee of a company who has yet to accept the invitation gets another one instead', async () => {
    const { email } = await hire();
    const first = await linkTo(email);
    const browser = visit(stack.base_url);
    await requestLink(browser, email);
    const second = await linkTo(email, 2);
    expect([first, second].map((link) => link.split('?')[0])).toEqual(['/invitation', '/invitation']);
    expect((await browser.open(first)).status).toBe(404);
    const dashboard = await browser.press(await browser.open(second), 'Set password', chosen);
    expect(pathOf(dashboard)).toBe(HOME.path);
  });

  it('an employee of a company who was deleted has an invalid link, and gets no other', async () => {
    const { id, email } = await hire();
    const browser = visit(stack.base_url);
    const accepting = visit(stack.base_url);
    await accepting.press(await accepting.open(await linkTo(email)), 'Set password', chosen);
    await requestLink(browser, email);
    const link = await linkTo(email, 2);
    const page = await browser.open(link);
    expect((await company.call('DELETE', `/employees/${id}`)).status).toBe(204);
    expect((await browser.open(link)).status).toBe(404);
    expect((await browser.press(page, 'Set password', chosen)).status).toBe(404);
    // The e-mail of another employee, requested later, has arrived: the deleted employee's would have, too.
    await requestLink(browser, email);
    const other = await newPerson();
    await requestLink(other, other.email);
    await linkTo(other.email);
    expect(await emailsTo(email)).toHaveLength(2);
  });
});

async function switchTwoFactorOn(person: Person): Promise<{ code: () => string }> {
  await signIn(person);
  const { secret } = (await person.account('POST', '/two_factor/enrolment')).body;
  const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  expect((await person.account('PUT', '/two_factor', { code: code() })).status).toBe(200);
  return { code };
}
