import { describe, expect, it } from '@jest/globals';
import { waitUntil } from '@parley/testkit/wait-until';
import * as oauth from 'oauth4webapi';
import { operate, send, sharedStack, succeeded } from '../support/api.ts';
import { registerApp, refresh, useToken } from './app.ts';
import {
  allowDevice,
  COMMAND_LINE,
  DEVICE_GRANT,
  denyDevice,
  enterCode,
  openDevicePage,
  pollDevice,
  requestDevice,
} from './device.ts';
import { oauthError } from './oauth-error.ts';
import { newPerson, PASSWORD, type Person, signIn } from './people.ts';
import { visit } from './visitor.ts';

const stack = sharedStack();
const base = stack.base_url;
const NOT_VALID = 'This code is not valid.';

async function newDevice() {
  return (await succeeded(requestDevice())).body;
}

const api = ({ apiKey }: Person, method: string, path: string, body?: unknown) =>
  send(method, `${base}/api/v1${path}`, { headers: { 'X-Api-Key': apiKey }, body });

describe('the request of a device', () => {
  it('the request of a device returns the fields of RFC 8628', async () => {
    const reply = await requestDevice();
    expect([reply.status, reply.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const { user_code: userCode } = reply.body;
    expect(reply.body).toEqual({
      device_code: expect.stringMatching(/^dc_[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${base}/device`,
      verification_uri_complete: `${base}/device?user_code=${userCode}`,
      expires_in: 600,
      interval: 5,
    });
  });

  it('the request of a device is announced in the metadata, which has the grant types of before', async () => {
    const { body } = await send('GET', `${base}/.well-known/oauth-authorization-server`);
    expect(body.device_authorization_endpoint).toBe(`${base}/oauth/device_authorization`);
    expect(body.grant_types_supported).toEqual(['authorization_code', 'refresh_token']);
  });

  it.each([
    ['no client', { client_id: '' }, 400, 'invalid_request'],
    ['two clients', { client_id: [COMMAND_LINE, COMMAND_LINE] }, 400, 'invalid_request'],
    ['an unknown client', { client_id: 'app_unknown' }, 401, 'invalid_client'],
    ['a query operator for a client', { client_id: '{"$ne":null}' }, 401, 'invalid_client'],
    ['control characters', { client_id: 'parley-cli\u0000' }, 400, 'invalid_request'],
    ['no scope', { scope: '' }, 400, 'invalid_request'],
    ['another scope', { scope: 'web' }, 400, 'invalid_scope'],
    ['another resource', { resource: 'https://evil.example' }, 400, 'invalid_target'],
  ])(
    'the request of a device with %s is refused',
    async (_case, fields: Record<string, string | string[]>, status, error) => {
      const reply = await requestDevice(fields);
      expect([reply.status, reply.body]).toEqual([status, oauthError(error)]);
    },
  );

  it('the request of a device that is no form, or no text, is refused', async () => {
    const url = `${base}/oauth/device_authorization`;
    const forms = ['\u0000', '%ff%fe=%', '[]', 'client_id[]=parley-cli', `client_id=${'x'.repeat(60_000)}`];
    for (const body of forms) {
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
      expect((await send('POST', url, { headers, body })).body.error).toBe('invalid_request');
    }
    expect((await send('POST', url, { body: { client_id: COMMAND_LINE, scope: 'api' } })).status).toBe(400);
    const large = await send('POST', url, {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'x'.repeat(70_000),
    });
    expect(large.status).toBe(413);
  });

  it('the request of a device is for clients with this grant only', async () => {
    const { clientId } = await registerApp();
    const issue = async (more: object) => {
      const body = { client_name: 'Meeting room', redirect_uris: ['https://room.example/cb'], ...more };
      return (await succeeded(operate(stack, 'POST', '/oauth_clients', body))).body;
    };
    const [without, withGrant, only] = [
      await issue({}),
      await issue({ device_grant: true }),
      await issue({ device_grant: true, redirect_uris: [] }),
    ];
    expect([without.device_grant, withGrant.device_grant, only.device_grant]).toEqual([false, true, true]);
    for (const id of [clientId, without.client_id]) {
      const reply = await requestDevice({ client_id: id });
      expect([reply.status, reply.body]).toEqual([400, oauthError('unauthorized_client')]);
      expect((await pollDevice('dc_x', id)).body).toEqual(oauthError('unauthorized_client'));
    }
    for (const { client_id: id } of [withGrant, only])
      expect((await requestDevice({ client_id: id })).status).toBe(200);
    const refused = await operate(stack, 'POST', '/oauth_clients', { client_name: 'App', redirect_uris: [] });
    expect([refused.status, refused.body.errors]).toEqual([422, { redirect_uris: ['is required'] }]);
  });
});

describe('a device', () => {
  it('a device gets tokens of the employee who allows it, once', async () => {
    const person = await newPerson();
    const { device_code: deviceCode, user_code: userCode } = await newDevice();
    const pending = await pollDevice(deviceCode);
    expect([pending.status, pending.body]).toEqual([400, oauthError('authorization_pending')]);
    expect((await pollDevice(deviceCode)).body).toEqual(oauthError('slow_down'));
    await allowDevice(person, userCode);
    const answers = await Promise.all(Array.from({ length: 5 }, () => pollDevice(deviceCode)));
    const [issued, ...more] = answers.filter(({ status }) => status === 200);
    expect(more).toEqual([]);
    expect(issued!.body).toEqual({
      access_token: expect.stringMatching(/^at_/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^rt_/),
      scope: 'api',
      created_at: expect.any(Number),
    });
    const others = answers.filter(({ status }) => status !== 200).map(({ body }) => body);
    expect(others).toEqual(Array.from({ length: 4 }, () => oauthError('invalid_grant')));
    expect((await useToken(issued!.body.access_token)).status).toBe(200);
    const client = { clientId: COMMAND_LINE, redirectUri: '' };
    expect((await refresh(client, issued!.body.refresh_token)).status).toBe(200);
    expect((await pollDevice(deviceCode)).body).toEqual(oauthError('invalid_grant'));
  });

  it('a device is denied', async () => {
    const person = await newPerson();
    const { device_code: deviceCode, user_code: userCode } = await newDevice();
    await denyDevice(person, userCode);
    const reply = await pollDevice(deviceCode);
    expect([reply.status, reply.body]).toEqual([400, oauthError('access_denied')]);
  });

  it.each(['', 'dc_unknown', '{"$ne":null}', 'x'.repeat(4096)])(
    'a device with the code %j gets nothing',
    async (code) => {
      expect((await pollDevice(code)).body).toEqual(oauthError(code === '' ? 'invalid_request' : 'invalid_grant'));
    },
  );

  it('a device of a stock client finds the endpoint by itself', async () => {
    const person = await newPerson();
    const insecure = { [oauth.allowInsecureRequests]: true };
    const issuer = new URL(base);
    const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
    const as = await oauth.processDiscoveryResponse(issuer, discovered);
    const client = { client_id: COMMAND_LINE };
    const parameters = new URLSearchParams({ scope: 'api' });
    const asked = await oauth.deviceAuthorizationRequest(as, client, oauth.None(), parameters, insecure);
    const device = await oauth.processDeviceAuthorizationResponse(as, client, asked);
    await allowDevice(person, device.user_code);
    const answered = await oauth.deviceCodeGrantRequest(as, client, oauth.None(), device.device_code, insecure);
    const tokens = await oauth.processDeviceCodeResponse(as, client, answered);
    expect((await useToken(tokens.access_token)).status).toBe(200);
  });

  it('a device is a connected app and in the audit log, by the employee', async () => {
    const person = await newPerson();
    const { device_code: deviceCode, user_code: userCode } = await newDevice();
    await allowDevice(person, userCode);
    await succeeded(pollDevice(deviceCode));
    const entry = await waitUntil(
      async () => (await api(person, 'GET', '/audit_events?type=connected_app.created')).body.audit_events[0],
      { what: 'the entry' },
    );
    expect(entry).toMatchObject({
      actor: { type: 'employee', id: person.employeeId, credential: { type: 'session' } },
      object: { type: 'connected_app', name: 'Parley command line' },
      changes: { grant: { from: null, to: 'device_code' } },
    });
    const { body } = await person.account('GET', '/connected_apps');
    expect(JSON.stringify(body)).toContain('Parley command line');
  });
});

describe('the page of a device', () => {
  it('the page of a device keeps the code over the sign-in, fills the field, and does no more', async () => {
    const person = await newPerson();
    const { device_code: deviceCode, verification_uri_complete: complete, user_code: userCode } = await newDevice();
    const first = await person.open(complete);
    expect(new URL(first.url).pathname).toBe('/signin');
    const page = await person.press(first, 'Sign in', { Email: person.email, Password: PASSWORD });
    expect(page.value('Code')).toBe(userCode);
    expect(page.html).not.toMatch(/<script/i);
    expect(page.html).not.toContain('Allow');
    // Nothing is bound to this session: another one may still enter it.
    const other = await newPerson();
    await allowDevice(other, userCode);
    expect((await pollDevice(deviceCode)).status).toBe(200);
  });

  it('the page of a device says what asks, when, from where, and what to be careful of', async () => {
    const person = await newPerson();
    const headers = {
      'Content-Type': 'application/x-www-form-urlencoded',
      'User-Agent': '<b>evil</b>/1.0',
    };
    const body = `client_id=${COMMAND_LINE}&scope=api`;
    const reply = await send('POST', `${base}/oauth/device_authorization`, { headers, body });
    const page = await enterCode(person, reply.body.user_code.toLowerCase().replace('-', ''));
    for (const words of [
      'Parley command line',
      'Less than a minute ago',
      '127.0.0.1',
      '<b>evil</b>/1.0',
      person.email,
      'Only continue if you started this yourself just now.',
    ])
      expect(page.text).toContain(words);
    expect(page.html).not.toContain('<b>evil');
  });

  it('the page of a device does not take the code of another session, or one that is not there', async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    const { user_code: userCode } = await newDevice();
    const mine = await enterCode(person, userCode);
    const refused = await enterCode(other, userCode);
    expect([refused.status, refused.text.includes(NOT_VALID)]).toEqual([422, true]);
    const unknown = await enterCode(other, 'BBBB-BBBB');
    expect([unknown.status, unknown.text.includes(NOT_VALID)]).toEqual([422, true]);
    const sameEmployee: Person = { ...person, ...visit(base) };
    await signIn(sameEmployee);
    expect((await enterCode(sameEmployee, userCode)).text).toContain(NOT_VALID);
    expect((await person.press(mine, 'Allow')).text).toContain('is allowed');
    expect((await person.press(mine, 'Deny')).text).toContain(NOT_VALID);
  });

  it('the page of a device refuses the sixth wrong code of a session', async () => {
    const person = await newPerson();
    await openDevicePage(person);
    const statuses: number[] = [];
    for (let guess = 0; guess < 6; guess += 1) statuses.push((await enterCode(person, 'BBBB-BBBB')).status);
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
    const { user_code: userCode } = await newDevice();
    const page = await enterCode(person, userCode);
    expect([page.status, Number(page.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(page.text).toContain('Too many attempts.');
  });

  it('the page of a device takes no form of another site, nor the decision about another code', async () => {
    const person = await newPerson();
    const [one, other] = [await newDevice(), await newDevice()];
    await enterCode(person, other.user_code);
    const page = await enterCode(person, one.user_code);
    const fields = page.fields('Allow');
    const post = (body: URLSearchParams, headers: Record<string, string>) =>
      person.request('/device', { method: 'POST', body, headers });
    expect((await post(fields, { origin: 'https://evil.example' })).status).toBe(403);
    fields.set('user_code', other.user_code);
    expect((await post(fields, { origin: base })).status).toBe(403);
    expect((await pollDevice(other.device_code)).body).toEqual(oauthError('authorization_pending'));
  });

  it('the page of a device is not answered with an access token', async () => {
    const person = await newPerson();
    const { device_code: deviceCode, user_code: userCode } = await newDevice();
    await allowDevice(person, userCode);
    const { body } = await succeeded(pollDevice(deviceCode));
    const headers = { Authorization: `Bearer ${body.access_token}` };
    const reply = await send('GET', `${base}/device`, { headers });
    expect([reply.status, reply.headers.get('location')]).toEqual([303, '/signin?return_to=%2Fdevice']);
  });
});

describe('a company that turns devices off', () => {
  it('a company that turns devices off says so on the page, and denies the program', async () => {
    const person = await newPerson();
    expect((await api(person, 'GET', '/sign_in/policy')).body).toEqual({ device_sign_in: true, changed_at: null });
    const [allowed, entered, later] = [await newDevice(), await newDevice(), await newDevice()];
    await allowDevice(person, allowed.user_code);
    const question = await enterCode(person, entered.user_code);
    const changed = await api(person, 'PATCH', '/sign_in/policy', { device_sign_in: false });
    expect([changed.status, changed.body]).toEqual([200, { device_sign_in: false, changed_at: expect.any(String) }]);
    expect((await api(person, 'PATCH', '/sign_in/policy', { device_sign_in: false })).body).toEqual(changed.body);
    const off = 'Your company does not allow signing in with a code.';
    expect((await openDevicePage(person)).text).toContain(off);
    expect((await person.press(question, 'Allow')).text).toContain(off);
    const refused = await enterCode(person, later.user_code);
    expect([refused.status, refused.text.includes(off)]).toEqual([403, true]);
    for (const { device_code: deviceCode } of [allowed, entered, later]) {
      const reply = await pollDevice(deviceCode);
      expect([reply.status, reply.body]).toEqual([400, oauthError('access_denied')]);
    }
    const entry = await waitUntil(
      async () => (await api(person, 'GET', '/audit_events?type=sign_in_policy.changed')).body.audit_events[0],
      { what: 'the entry' },
    );
    expect(entry).toMatchObject({
      actor: { id: person.employeeId },
      changes: { device_sign_in: { from: true, to: false } },
    });
    await succeeded(api(person, 'PATCH', '/sign_in/policy', { device_sign_in: true }));
    const again = await newDevice();
    await allowDevice(person, again.user_code);
    expect((await pollDevice(again.device_code)).status).toBe(200);
  });

  it.each([{ device_sign_in: null }, { device_sign_in: 'maybe' }, { device_sign_in: {} }, { device_sign_in: 7 }])(
    'a company that turns devices off cannot do it with %j',
    async (body) => expect((await api(await newPerson(), 'PATCH', '/sign_in/policy', body)).status).toBe(422),
  );

  it('a company that turns devices off is another one than its neighbour', async () => {
    const [one, other] = [await newPerson(), await newPerson()];
    await succeeded(api(one, 'PATCH', '/sign_in/policy', { device_sign_in: false }));
    expect((await api(other, 'GET', '/sign_in/policy')).body.device_sign_in).toBe(true);
    const { device_code: deviceCode, user_code: userCode } = await newDevice();
    await allowDevice(other, userCode);
    expect((await pollDevice(deviceCode)).status).toBe(200);
  });
});

it('the token endpoint names the grant types it takes', async () => {
  const reply = await send('POST', `${base}/oauth/token`, {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=password',
  });
  expect(reply.body).toEqual(oauthError('unsupported_grant_type'));
  expect(reply.body.error_description).toContain(DEVICE_GRANT);
});
