import { beforeAll, expect, it } from '@jest/globals';
import { type Company, createTestCompany } from '../support/api.ts';

let company: Company;
let other: Company;
beforeAll(async () => {
  [company, other] = await Promise.all([createTestCompany(), createTestCompany()]);
});

it('a softphone session is a credential of the requesting employee, for at most an hour', async () => {
  const { status, body } = await company.call('POST', '/softphone_sessions');
  expect([status, Object.keys(body).sort()]).toEqual([
    201,
    ['expires_at', 'ice_servers', 'id', 'password', 'sip_uri', 'username', 'websocket_url'],
  ]);
  expect(body).toMatchObject({
    sip_uri: `sip:${company.owner.id}@parley.invalid`,
    username: company.owner.id,
    password: expect.stringMatching(/^.{32,}$/),
  });
  const lifetime = Date.parse(body.expires_at) - Date.now();
  expect([lifetime > 3_500_000, lifetime <= 3_600_000]).toEqual([true, true]);
});

it('a softphone session is revoked alone; a foreign one is an unknown one', async () => {
  const first = (await company.call('POST', '/softphone_sessions', {})).body;
  const second = (await company.call('POST', '/softphone_sessions', {})).body;
  expect(first.password).not.toBe(second.password);
  const revoke = (by: Company, id: string) => by.call('DELETE', `/softphone_sessions/${id}`);
  const foreign = await revoke(other, first.id);
  const unknown = await revoke(other, 'sps_unknown');
  expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
  expect((await revoke(company, first.id)).status).toBe(204);
  expect((await revoke(company, first.id)).status).toBe(404);
  expect((await revoke(company, second.id)).status).toBe(204);
});
