import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { storedDocument, waitUntil } from '@parley/testkit';
import { as, startCallControl, type TestCallControl } from './start-call-control.ts';

let callControl: TestCallControl;
beforeAll(async () => {
  callControl = await startCallControl({
    SIP_DOMAIN: 'phones.example',
    SIP_WEBSOCKET_URL: 'wss://phones.example/ws',
    ICE_SERVERS: '[{"urls": ["stun:stun.example:3478"]}]',
  });
});
afterAll(() => callControl?.stop());

it('a softphone session is a credential for an hour, of which the password is not stored', async () => {
  const employee = callControl.directory.addEmployee();
  const session = await callControl.softphoneSessions.createSoftphoneSession({}, as(employee));
  expect(session).toMatchObject({
    id: expect.stringMatching(/^sps_/),
    sipUri: `sip:${employee.id}@phones.example`,
    username: employee.id,
    websocketUrl: 'wss://phones.example/ws',
    iceServers: [{ urls: ['stun:stun.example:3478'] }],
  });
  const lifetime = timestampDate(session.expiresAt!).getTime() - Date.now();
  expect(lifetime).toBeGreaterThan(3_590_000);
  expect(lifetime).toBeLessThanOrEqual(3_600_000);
  const stored = JSON.stringify(await callControl.db.collection('softphone_sessions').find().toArray());
  const a1 = createHash('md5').update(`${employee.id}:phones.example:${session.password}`).digest('hex');
  expect(stored).toContain(session.id);
  expect([stored.includes(session.password), stored.includes(a1)]).toEqual([false, false]);
});

it('is revoked alone and once, and only by its own employee', async () => {
  const employee = callControl.directory.addEmployee();
  const colleague = callControl.directory.addEmployee({ companyId: employee.companyId });
  const { softphoneSessions } = callControl;
  const [first, second] = [
    await softphoneSessions.createSoftphoneSession({}, as(employee)),
    await softphoneSessions.createSoftphoneSession({}, as(employee)),
  ];
  const revoke = (id: string, by = employee) => softphoneSessions.deleteSoftphoneSession({ id }, as(by));
  const unknown = { refusal: { code: 'not_found' } };
  await expect(revoke(first.id, colleague)).rejects.toMatchObject(unknown);
  await revoke(first.id);
  await expect(revoke(first.id)).rejects.toMatchObject(unknown);
  await revoke(second.id);
});

it('ends with the employee', async () => {
  const employee = callControl.directory.addEmployee();
  await callControl.softphoneSessions.createSoftphoneSession({}, as(employee));
  await callControl.announce('created', employee);
  await callControl.announce('deleted', employee);
  await waitUntil(async () => (await storedDocument(callControl.db, 'softphone_sessions', employee.id)) === null, {
    what: 'the end of the sessions',
  });
});
