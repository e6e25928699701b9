import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { storedDocument, waitUntil } from '@parley/testkit';
import { EndedCredentials } from '@parley/proto/identity/v1/credential_events_pb';
import { newId } from '@parley/secrets';
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

it('a softphone session is revoked alone and once, and only by its own employee', async () => {
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

it('a softphone session ends with the employee', async () => {
  const employee = callControl.directory.addEmployee();
  await callControl.softphoneSessions.createSoftphoneSession({}, as(employee));
  await callControl.announce('created', employee);
  await callControl.announce('deleted', employee);
  await waitUntil(async () => (await storedDocument(callControl.db, 'softphone_sessions', employee.id)) === null, {
    what: 'the end of the sessions',
  });
});

it('a softphone session ends with the credential it was made with, and others stay', async () => {
  const employee = callControl.directory.addEmployee();
  const { companyId, id } = employee;
  const made = as(employee);
  const [ending, other] = [made, { as: { ...made.as, credentialId: 'ses_1', credentialType: 'session' as const } }];
  await callControl.softphoneSessions.createSoftphoneSession({}, ending);
  await callControl.softphoneSessions.createSoftphoneSession({}, other);
  const ended = async () => {
    const stored = await storedDocument(callControl.db, 'softphone_sessions', id);
    const sessions = (stored?.['sessions'] ?? []) as { endedAt?: Date }[];
    return sessions.map(({ endedAt }) => endedAt !== undefined);
  };
  const revoke = (credentialId: string, what: EndedCredentials) =>
    callControl.publish(
      'identity.credential.revoked',
      { credentialId, employeeId: id, ended: what },
      { companyId, aggregateId: newId('key') },
    );
  // Another secret or another role ends nothing; a new password ends what sign-ins made.
  await revoke(ending.as.credentialId, EndedCredentials.NONE);
  await revoke(ending.as.credentialId, EndedCredentials.ONE);
  await waitUntil(async () => (await ended())[0], { what: 'the end of the session' });
  expect(await ended()).toEqual([true, false]);
  await revoke('', EndedCredentials.SESSIONS);
  await waitUntil(async () => (await ended())[1], { what: 'the end of the other session' });
});
