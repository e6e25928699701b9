import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import { allow, tokenRequest, useToken } from '../identity/app.ts';
import { allowDevice } from '../identity/device.ts';
import { newPerson, type Person, signIn } from '../identity/people.ts';
import { createTestCompany, sandbox, send, sharedStack, succeeded } from '../support/api.ts';
import { type CommandLine, openCommandLine, removeCommandLines, withKey } from './command-line.ts';

removeCommandLines();
const stack = sharedStack();

/** Signs in by a browser that the test plays: the page, *Allow*, and back to the program. */
async function login(machine: CommandLine, person: Person, ...args: string[]): Promise<string> {
  const run = machine.start('login', '--url', stack.base_url, ...args);
  const url = await authorizationUrl(run);
  const back = await allow(person, url.slice(stack.base_url.length));
  const page = await send('GET', back.href);
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('You are signed in')]);
  const { code, out, err } = await run.ended;
  expect([code, err.includes('parley:')]).toEqual([0, false]);
  return out + err;
}

const authorizationUrl = (run: ReturnType<CommandLine['start']>) =>
  waitUntil(async () => /^http\S+\/oauth\/authorize\S+$/m.exec(run.err())?.[0], {
    what: 'an address',
    timeoutMs: 60_000,
  });

const profileOf = async ({ configFolder }: CommandLine, name = 'default') =>
  JSON.parse(await readFile(path.join(configFolder, 'profiles', `${name}.json`), 'utf8'));

async function signedIn(): Promise<{ machine: CommandLine; person: Person }> {
  const [machine, person] = [await openCommandLine(), await newPerson()];
  await login(machine, person);
  return { machine, person };
}

describe('the sign-in of the command line', () => {
  it('the sign-in of the command line is by a browser, kept where only its user reads it, and ends with logout', async () => {
    const [machine, person] = [await openCommandLine(), await newPerson()];
    const shown = await login(machine, person);
    const file = path.join(machine.configFolder, 'profiles/default.json');
    expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600');
    const { tokens, client_id: clientId } = await profileOf(machine);
    for (const secret of [tokens.access_token, tokens.refresh_token]) expect(shown).not.toContain(secret);
    expect(await machine.json('whoami')).toMatchObject({
      base_url: stack.base_url,
      credential: 'sign_in',
      company: { id: person.companyId },
      admin: true,
    });
    const apps = await machine.json('logs', '--audit', '--limit', '5');
    const created = apps.find(({ type }: { type: string }) => type === 'connected_app.created');
    expect(created.object.name).toMatch(/^Parley command line on /);

    const { code, out } = await machine.run('logout');
    expect([code, out]).toEqual([0, expect.stringContaining('revoked')]);
    expect(await readdir(path.dirname(file))).toEqual([]);
    expect((await useToken(tokens.access_token)).status).toBe(401);
    const form = { grant_type: 'refresh_token', client_id: clientId, refresh_token: tokens.refresh_token };
    expect((await tokenRequest(form)).status).toBe(400);
    expect((await machine.run('logout')).code).toBe(0);
  });

  it('the sign-in of the command line opens the browser that the user has set', async () => {
    const [machine, person] = [await openCommandLine(), await newPerson()];
    const browser = path.join(machine.configFolder, '../browser');
    const opened = path.join(machine.configFolder, '../opened');
    await writeFile(browser, `#!/bin/sh\nprintf %s "$1" > "${opened}"\n`, { mode: 0o755 });
    const run = machine.with({ BROWSER: browser }).start('login', '--url', `${stack.base_url}/`);
    const url = await waitUntil(() => readFile(opened, 'utf8').catch(() => undefined), { what: 'a browser' });
    // Others who guess at the port of the program change nothing.
    const back = await allow(person, url.slice(stack.base_url.length));
    const guessed = new URL(back);
    guessed.searchParams.set('state', 'guessed');
    expect((await send('GET', guessed.href)).status).toBe(400);
    expect((await send('GET', back.href)).status).toBe(200);
    expect((await run.ended).code).toBe(0);
  });

  it('the sign-in of the command line ends with 1 when it is denied, and nothing is kept', async () => {
    const [machine, person] = [await openCommandLine(), await newPerson()];
    const run = machine.start('login', '--url', stack.base_url);
    const url = await authorizationUrl(run);
    const page = await signIn(person, url.slice(stack.base_url.length));
    const back = await person.press(page, 'Deny');
    await send('GET', back.url);
    expect(await run.ended).toMatchObject({ code: 1, err: expect.stringContaining('denied') });
    expect((await machine.run('whoami')).code).toBe(3);
  });

  it('the sign-in of the command line ends with Ctrl-C', async () => {
    const machine = await openCommandLine();
    const run = machine.start('login', '--url', stack.base_url);
    await authorizationUrl(run);
    run.process.kill('SIGINT');
    expect(await run.ended).toMatchObject({ code: 130, err: expect.not.stringContaining('Error') });
  });

  it('the sign-in of the command line has profiles, and a new one ends the one before', async () => {
    const { machine, person } = await signedIn();
    const other = await newPerson();
    await login(machine, other, '--profile', 'other');
    const before = await profileOf(machine);
    await login(machine, person);
    expect((await useToken(before.tokens.access_token)).status).toBe(401);
    for (const [profile, { companyId }] of [
      ['default', person],
      ['other', other],
    ] as const)
      expect(await machine.json('whoami', '--profile', profile)).toMatchObject({ profile, company: { id: companyId } });
    expect((await machine.run('whoami', '--profile', 'third')).code).toBe(3);
    expect((await machine.run('whoami', '--profile', '../default')).code).toBe(2);
  });

  it('the sign-in of the command line is refused when others can read it', async () => {
    const { machine } = await signedIn();
    await chmod(path.join(machine.configFolder, 'profiles/default.json'), 0o644);
    const { code, out, err } = await machine.run('whoami');
    expect([code, out]).toEqual([3, '']);
    expect(err).toMatch(/can be read by others \(mode 644\)[^]*chmod 600/);
  });

  it('the sign-in of the command line is not sent to another service', async () => {
    const { machine } = await signedIn();
    const name = `cli-${process.pid}-elsewhere`;
    await succeeded(sandbox(stack, 'PUT', `/servers/${name}`, { responses: [{ body: {} }] }));
    const elsewhere = machine.with({ PARLEY_BASE_URL: `${stack.sandbox_url}/servers/${name}` });
    expect(await elsewhere.run('whoami')).toMatchObject({ code: 3, err: expect.stringContaining('is signed in at') });
    expect((await sandbox(stack, 'GET', `/servers/${name}`)).body).toEqual([]);
  });

  it('the sign-in of the command line gives way to a key of the environment', async () => {
    const { machine } = await signedIn();
    const company = await createTestCompany();
    const keyed = machine.with({ PARLEY_API_KEY: company.apiKey });
    expect(await keyed.json('whoami')).toMatchObject({ credential: 'api_key', company: { id: company.id } });
    const { code, err } = await keyed.with({ PARLEY_API_KEY: 'pk_wrong' }).run('whoami');
    expect([code, err]).toEqual([3, expect.stringContaining('parley login')]);
    expect(err).not.toContain('pk_wrong');
  });

  it('the sign-in of the command line is renewed once by ten commands at once, and none loses it', async () => {
    const { machine } = await signedIn();
    const before = await profileOf(machine);
    const form = { token: before.tokens.access_token, client_id: before.client_id };
    for (let round = 0; round < 2; round++) {
      const { tokens } = await profileOf(machine);
      await succeeded(tokenRequest({ ...form, token: tokens.access_token }, '/oauth/revoke'));
      const runs = await Promise.all(Array.from({ length: 5 }, () => machine.run('whoami', '--json')));
      expect(runs.map(({ code, err }) => [code, err])).toEqual(runs.map(() => [0, '']));
      expect((await profileOf(machine)).tokens.refresh_token).not.toBe(tokens.refresh_token);
    }
    expect(await readdir(path.join(machine.configFolder, 'profiles'))).toEqual(['default.json']);
  });

  it('the sign-in of the command line says that it has ended when somebody revoked it', async () => {
    const { machine } = await signedIn();
    const { tokens, client_id: clientId } = await profileOf(machine);
    await succeeded(tokenRequest({ token: tokens.refresh_token, client_id: clientId }, '/oauth/revoke'));
    expect(await machine.run('whoami')).toMatchObject({ code: 3, err: expect.stringContaining('parley login') });
  });
});

describe('the sign-in of the command line by a code', () => {
  it('the sign-in of the command line by a code is allowed on any other machine, and ends with logout', async () => {
    const [machine, person] = [await openCommandLine(), await newPerson()];
    const run = machine.start('login', '--device', '--url', stack.base_url, '--json');
    const shown = await waitUntil(async () => run.out().includes('\n') && JSON.parse(run.out()), {
      what: 'a code',
      timeoutMs: 60_000,
    });
    expect(shown).toMatchObject({ verification_uri: `${stack.base_url}/device`, expires_in: 600 });
    await allowDevice(person, shown.user_code);
    expect((await run.ended).code).toBe(0);
    expect(await machine.json('whoami')).toMatchObject({ credential: 'sign_in', company: { id: person.companyId } });
    const { tokens } = await profileOf(machine);
    expect((await machine.run('logout')).code).toBe(0);
    expect((await useToken(tokens.access_token)).status).toBe(401);
  });

  const CODE = { device_code: 'dc_secret', user_code: 'WDJB-MJHT', expires_in: 600, interval: 0.1 };
  const TOKENS = { access_token: 'at_device', refresh_token: 'rt_device', expires_in: 3600 };
  let servers = 0;

  /** A service with these responses. */
  async function scripted(...responses: object[]) {
    const route = `/servers/cli-device-${process.pid}-${(servers += 1)}`;
    const url = stack.sandbox_url + route;
    const begun = {
      ...CODE,
      verification_uri: `${url}/device`,
      verification_uri_complete: `${url}/device?user_code=x`,
    };
    await succeeded(sandbox(stack, 'PUT', route, { responses: [{ body: begun }, ...responses] }));
    const machine = await openCommandLine();
    const asked = async () => (await sandbox(stack, 'GET', route)).body as { path: string; body: unknown }[];
    return { machine, url, asked };
  }
  const refusal = (error: string) => ({ status: 400, body: { error } });

  it('the sign-in of the command line by a code shows the code, waits, and keeps the tokens', async () => {
    const { machine, url, asked } = await scripted(refusal('authorization_pending'), { body: TOKENS });
    const { code, out, err } = await machine.run('login', '--device', '--url', url);
    expect([code, err]).toEqual([0, expect.stringContaining('WDJB-MJHT')]);
    expect(err).toContain(`${url}/device`);
    expect(out + err).not.toMatch(/dc_secret|at_device|rt_device/);
    expect(await profileOf(machine)).toEqual({ base_url: url, client_id: 'parley-cli', tokens: TOKENS });
    const requests = (await asked()).map(({ path: target }) => target.slice(target.lastIndexOf('/oauth')));
    expect(requests).toEqual(['/oauth/device_authorization', '/oauth/token', '/oauth/token']);
  });

  it.each([
    ['access_denied', 'denied'],
    ['expired_token', 'not entered in time'],
  ])('the sign-in of the command line by a code ends with 1 after %s', async (error, said) => {
    const { machine, url } = await scripted(refusal(error));
    const run = await machine.run('login', '--device', '--url', url);
    expect(run).toMatchObject({ code: 1, err: expect.stringContaining(said) });
    expect((await machine.run('whoami')).code).toBe(3);
  });
});

describe('a command without a service', () => {
  it('a command without a service ends with 2 when it is not named, and with 4 when it is not there', async () => {
    const machine = await openCommandLine();
    expect((await machine.run('login')).code).toBe(2);
    expect((await machine.run('login', '--url', 'phone.example')).code).toBe(2);
    expect((await machine.with({ PARLEY_API_KEY: 'pk_1' }).run('whoami')).code).toBe(2);
    expect((await machine.run('docs', 'openapi')).code).toBe(2);
    const nowhere = withKey(machine, 'pk_1').with({ PARLEY_BASE_URL: 'http://127.0.0.1:1' });
    expect(await nowhere.run('whoami')).toMatchObject({ code: 4, err: expect.stringContaining('parley whoami') });
    expect((await machine.run('login', '--url', 'http://127.0.0.1:1')).code).toBe(4);
  });
});
