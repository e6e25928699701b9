import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { decodeMessage } from '@parley/events';
import { ApiKeyAdminService } from '@parley/proto/identity/v1/api_keys_pb';
import { Role } from '@parley/proto/directory/v1/employees_pb';
import { EndedCredentials } from '@parley/proto/identity/v1/credential_events_pb';
import { CredentialService, CredentialType, type Principal } from '@parley/proto/identity/v1/credentials_pb';
import { SignInService } from '@parley/proto/identity/v1/sign_in_pb';
import { waitUntil } from '@parley/testkit';
import { newPerson, newTokens, PASSWORD, registerApp, signIn } from './person.ts';
import { startIdentity, type TestEmployee, type TestIdentity } from './start-identity.ts';

let identity: TestIdentity;
let revocations: readonly { employeeId: string; credentialId: string; ended: EndedCredentials }[];
beforeAll(async () => {
  identity = await startIdentity();
  revocations = await identity.record('identity.credential.revoked', ({ data }) =>
    decodeMessage('identity.credential.revoked', data),
  );
});
afterAll(() => identity?.stop());

const credentials = () => identity.channel.client(CredentialService);
const newKey = async ({ id, companyId }: TestEmployee) =>
  identity.channel
    .client(ApiKeyAdminService)
    .createApiKey({ employeeId: id, companyId, name: 'Webshop' }, identity.operator);
const principalOfKey = async (apiKey: string) => (await credentials().verifyApiKey({ apiKey })).principal;
const check = ({ credentialType, credentialId }: Principal) =>
  credentials().checkCredential({ credentialType, credentialId });
const endedOf = ({ id }: TestEmployee) => revocations.filter(({ employeeId }) => employeeId === id);

it('the verification of a credential names the role, and the kind and name of the credential', async () => {
  const person = await newPerson(identity, { role: Role.ADMIN });
  const { session } = await signIn(identity, person);
  const { accessToken } = await newTokens(identity, session, await registerApp(identity));
  const of = { employeeId: person.id, role: Role.ADMIN };
  const { apiKey } = await newKey(person);
  expect(await principalOfKey(apiKey)).toMatchObject({
    ...of,
    credentialType: CredentialType.API_KEY,
    credentialName: 'Webshop',
  });
  expect((await credentials().verifyAccessToken({ accessToken })).principal).toMatchObject({
    ...of,
    credentialType: CredentialType.OAUTH_TOKEN,
    credentialName: 'App',
  });
  expect((await credentials().verifySession({ session })).principal).toMatchObject({
    ...of,
    credentialType: CredentialType.SESSION,
    credentialName: '',
  });
});

it('a change of the role has every credential verified again, and ends none', async () => {
  const person = await newPerson(identity, { role: Role.ADMIN });
  const { apiKey } = await newKey(person);
  expect((await principalOfKey(apiKey))?.role).toBe(Role.ADMIN);
  await identity.hire({ ...person, role: Role.MEMBER, revision: 2n });
  await waitUntil(async () => (await principalOfKey(apiKey))?.role === Role.MEMBER, { what: 'the new role' });
  const isHeard = () => endedOf(person).some(({ ended }) => ended === EndedCredentials.NONE);
  await waitUntil(isHeard, { what: 'the event' });
  // An older record that arrives late has no effect.
  await identity.hire({ ...person, name: 'Late', role: Role.ADMIN, revision: 1n });
  await identity.hire({ ...person, name: 'Newest', role: Role.MEMBER, revision: 3n });
  const accounts = identity.db.collection<{ employeeId: string; name: string; role: string }>('accounts');
  await waitUntil(async () => (await accounts.findOne({ employeeId: person.id }))?.name === 'Newest', {
    what: 'the name',
  });
  expect(endedOf(person).filter(({ ended }) => ended === EndedCredentials.NONE)).toHaveLength(1);
});

it('identity asks directory for the role of an employee from before there were roles', async () => {
  const person = await newPerson(identity, { role: Role.MEMBER });
  const { apiKey } = await newKey(person);
  const accounts = identity.db.collection('accounts');
  await accounts.updateOne({ employeeId: person.id }, { $unset: { role: '' } });
  expect((await principalOfKey(apiKey))?.role).toBe(Role.MEMBER);
  expect(await accounts.findOne({ employeeId: person.id })).toMatchObject({ role: 'member' });
});

it('identity knows whether a credential has ended, by its id', async () => {
  const person = await newPerson(identity);
  const { session } = await signIn(identity, person);
  const app = await registerApp(identity);
  const { accessToken } = await newTokens(identity, session, app);
  const key = await newKey(person);
  const principals = [
    await principalOfKey(key.apiKey),
    (await credentials().verifyAccessToken({ accessToken })).principal,
    (await credentials().verifySession({ session })).principal,
  ];
  const live = async () => {
    const checked = await Promise.all(principals.map((principal) => check(principal!)));
    return checked.map(({ principal }) => principal !== undefined);
  };
  expect(await live()).toEqual([true, true, true]);
  const wrongType = { credentialType: CredentialType.SESSION, credentialId: principals[0]!.credentialId };
  expect((await credentials().checkCredential(wrongType)).principal).toBeUndefined();
  const visitor = { address: '192.0.2.1', session };
  const change = { currentPassword: PASSWORD, password: 'another good password', visitor };
  await identity.channel.client(SignInService).changePassword(change);
  expect(await live()).toEqual([true, true, false]);
  await waitUntil(() => endedOf(person).some(({ ended }) => ended === EndedCredentials.SESSIONS), {
    what: 'the event',
  });
  await identity.channel
    .client(ApiKeyAdminService)
    .revokeApiKey({ id: principals[0]!.credentialId }, identity.operator);
  expect(await live()).toEqual([false, true, false]);
  await identity.dismiss(person);
  await waitUntil(async () => !(await live()).includes(true), { what: 'the end of everything' });
});
