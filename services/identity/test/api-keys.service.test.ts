import { fromBinary } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@parley/secrets';
import { ApiKeyAdminService } from '@parley/proto/identity/v1/api_keys_pb';
import { CredentialRevokedSchema } from '@parley/proto/identity/v1/credential_events_pb';
import { CredentialService } from '@parley/proto/identity/v1/credentials_pb';
import { PasswordAdminService } from '@parley/proto/identity/v1/passwords_pb';
import { storedDocument, storedEntities, waitUntil } from '@parley/testkit';
import { startIdentity, type TestIdentity } from './start-identity.ts';

let identity: TestIdentity;
beforeAll(async () => {
  identity = await startIdentity({ API_KEYS_MAX: '5' });
});
afterAll(() => identity.stop());

const keys = () => identity.channel.client(ApiKeyAdminService);
const credentials = () => identity.channel.client(CredentialService);
const passwords = () => identity.channel.client(PasswordAdminService);

const someone = () => ({ employeeId: newId('emp'), companyId: newId('com') });
const hired = async () => {
  const { id: employeeId, companyId } = await identity.hire();
  return { employeeId, companyId };
};
const create = (employee: { employeeId: string; companyId: string }, name = 'CRM') =>
  keys().createApiKey({ ...employee, name }, identity.operator);

describe('an API key', () => {
  it('an API key acts for the employee it was made for', async () => {
    const employee = await hired();
    const { id, apiKey, name } = await create(employee);
    expect(apiKey).toMatch(/^pk_[\w-]{43}$/);
    expect(name).toBe('CRM');
    const { principal } = await credentials().verifyApiKey({ apiKey });
    expect(principal).toMatchObject({ ...employee, credentialId: id });
  });

  it('an API key is kept as a digest only', async () => {
    const { id, apiKey } = await create(someone());
    const stored = await storedDocument(identity.db, 'api_keys', id);
    expect(JSON.stringify(stored)).not.toContain(apiKey.slice(3));
  });

  it('an API key is refused when it is unknown', async () => {
    expect((await credentials().verifyApiKey({ apiKey: 'pk_x' })).principal).toBeUndefined();
    expect((await credentials().verifyApiKey({ apiKey: '' })).principal).toBeUndefined();
  });

  it('an API key stops working when it is revoked, and publishes the revocation', async () => {
    const revoked = await identity.record('identity.credential.revoked', ({ data }) =>
      fromBinary(CredentialRevokedSchema, data),
    );
    const employee = someone();
    const { id, apiKey } = await create(employee);
    await keys().revokeApiKey({ id }, identity.operator);
    expect((await credentials().verifyApiKey({ apiKey })).principal).toBeUndefined();
    await waitUntil(() => revoked.some((one) => one.credentialId === id && one.employeeId === employee.employeeId), {
      what: 'the event',
    });
    await expect(keys().revokeApiKey({ id }, identity.operator)).rejects.toThrow('not_found');
  });

  it('an API key notes when it was last used', async () => {
    const { id, apiKey } = await create(await hired());
    await credentials().verifyApiKey({ apiKey });
    await waitUntil(async () => (await storedDocument(identity.db, 'api_keys', id))?.['lastUsedAt'], {
      what: 'the last use',
    });
  });

  it('an API key is capped per employee under concurrency', async () => {
    const employee = someone();
    const results = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => create(employee, `key ${n}`)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    for (const result of results)
      if (result.status === 'rejected') expect(String(result.reason)).toMatch('limit_reached');
    const stored = await identity.db.collection('api_keys').countDocuments(employee);
    expect(stored).toBe(5);
  });

  it.each(['', '   ', 'n'.repeat(129)])('an API key needs a name a person can read: %j is refused', async (name) => {
    await expect(create(someone(), name)).rejects.toThrow('validation_failed');
  });

  it('an API key cannot be made or revoked except by the operator', async () => {
    await expect(keys().createApiKey({ ...someone(), name: 'x' })).rejects.toThrow('forbidden');
    await expect(keys().revokeApiKey({ id: newId('key') })).rejects.toThrow('forbidden');
  });
});

describe('a deleted employee', () => {
  it('a deleted employee loses every key, and gets no new one', async () => {
    const employee = await identity.hire();
    const whose = { employeeId: employee.id, companyId: employee.companyId };
    const made = [await create(whose), await create(whose)];
    await identity.dismiss(employee);
    for (const { apiKey } of made)
      await waitUntil(async () => !(await credentials().verifyApiKey({ apiKey })).principal, { what: 'the end' });
    await expect(create(whose)).rejects.toThrow('not_found');
    expect(await storedEntities(identity.db, 'api_keys', whose)).toEqual([]);
  });
});

describe('an employee whom directory has just deleted', () => {
  it('an employee whom directory has just deleted ends immediately when the gateway requests it, without affecting others', async () => {
    const gone = someone();
    const { apiKey } = await create(gone);
    await credentials().endEmployee(gone);
    expect((await credentials().verifyApiKey({ apiKey })).principal).toBeUndefined();
    await expect(create(gone)).rejects.toThrow('not_found');

    const employee = await identity.hire();
    const there = { employeeId: employee.id, companyId: employee.companyId };
    const kept = await create(there);
    await expect(credentials().endEmployee(there)).rejects.toThrow('conflict');
    await expect(credentials().endEmployee(there, identity.operator)).rejects.toThrow('forbidden');
    expect((await credentials().verifyApiKey({ apiKey: kept.apiKey })).principal).toBeDefined();
  });
});

describe('a password', () => {
  const set = (employee: { id: string; companyId: string }, password: string) =>
    passwords().setPassword({ employeeId: employee.id, companyId: employee.companyId, password }, identity.operator);

  it('a password is kept as an argon2id hash', async () => {
    const employee = await identity.hire();
    await set(employee, 'correct horse battery');
    const account = await identity.db.collection('accounts').findOne({ employeeId: employee.id });
    expect(account?.['passwordHash']).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it.each(['', 'seven77', 'x'.repeat(1025)])(
    'a password is refused when it is too short or too long: %#',
    async (password) => {
      await expect(set(await identity.hire(), password)).rejects.toThrow('validation_failed');
    },
  );

  it('a password is refused for an employee who is unknown to directory, or of another company', async () => {
    const employee = await identity.hire();
    await expect(set({ ...employee, id: newId('emp') }, 'long enough')).rejects.toThrow('not_found');
    await expect(set({ ...employee, companyId: newId('com') }, 'long enough')).rejects.toThrow('not_found');
  });
});
