import { fromBinary } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Role } from '@parley/proto/directory/v1/employees_pb';
import { ApiKeyAdminService } from '@parley/proto/identity/v1/api_keys_pb';
import { type CredentialRevoked, CredentialRevokedSchema } from '@parley/proto/identity/v1/credential_events_pb';
import { CredentialService, CredentialType } from '@parley/proto/identity/v1/credentials_pb';
import { DeactivationReportService, UsedCredentialService } from '@parley/proto/identity/v1/deactivations_pb';
import { PasswordAdminService } from '@parley/proto/identity/v1/passwords_pb';
import { SignInService } from '@parley/proto/identity/v1/sign_in_pb';
import { waitUntil } from '@parley/testkit';
import { asEmployee } from '@parley/testkit/service';
import { startMailServer, type TestMailServer } from './mail-server.ts';
import {
  employeeOfSession,
  employeeOfToken,
  newCode,
  newPerson,
  newTokens,
  PASSWORD,
  refreshForm,
  registerApp,
  requestTokens,
  signIn,
  trySignIn,
} from './person.ts';
import { startIdentity, type TestEmployee, type TestIdentity } from './start-identity.ts';

const DAY = 24 * 3600;

let mail: TestMailServer;
let identity: TestIdentity;
let aheadSecs = 0;
beforeAll(async () => {
  mail = await startMailServer();
  identity = await startIdentity({ SMTP_URL: mail.url, MAIL_FROM: 'Parley <no-reply@parley.example>' });
});
afterEach(async () => {
  await moveTo(0);
});
afterAll(async () => {
  await identity.stop();
  await mail.stop();
});

async function moveTo(secs: number): Promise<void> {
  aheadSecs = secs;
  await identity.moveClock(secs);
}
const now = () => new Date(Date.now() + aheadSecs * 1000);
const pages = () => identity.channel.client(SignInService);
const credentials = (service = 'gateway') => identity.as(service).client(CredentialService);

/** As directory tells it: the record has changed, then identity reads it. Without an event, as when the broker is away. */
async function setActive(person: TestEmployee, active: boolean): Promise<void> {
  person.deactivatedAt = active ? undefined : now();
  person.revision += 1n;
  await credentials('directory').refreshEmployee({ employeeId: person.id });
}
/** The same, with the event. */
async function announce(person: TestEmployee): Promise<void> {
  await identity.hire(person);
}
async function newKey({ id: employeeId, companyId }: TestEmployee, name = 'CRM') {
  const keys = identity.channel.client(ApiKeyAdminService);
  return keys.createApiKey({ companyId, employeeId, name }, identity.operator);
}
const ownerOfKey = async (apiKey: string) => (await credentials().verifyApiKey({ apiKey })).principal?.employeeId;
const ownerById = async (credentialType: CredentialType, credentialId: string) =>
  (await credentials().checkCredential({ credentialType, credentialId })).principal?.employeeId;

/** An employee with one of every credential. */
async function equipped(details: Partial<TestEmployee> = {}) {
  const person = await newPerson(identity, details);
  const app = await registerApp(identity);
  const { session } = await signIn(identity, person);
  const [key, tokens] = [await newKey(person), await newTokens(identity, session, app)];
  const code = await newCode(identity, session, app);
  return { person, app, session, key, tokens, code };
}
const isOwn = async ({ session, key, tokens }: Awaited<ReturnType<typeof equipped>>, id: string) => ({
  session: (await employeeOfSession(identity, session)) === id,
  key: (await ownerOfKey(key.apiKey)) === id,
  keyById: (await ownerById(CredentialType.API_KEY, key.id)) === id,
  token: (await employeeOfToken(identity, tokens.accessToken)) === id,
});

describe('the credentials of a deactivated employee', () => {
  it('the credentials of a deactivated employee are refused as soon as identity has read the record, at every replica', async () => {
    const all = await equipped();
    const { person, app, session, key, tokens, code } = all;
    const second = (await identity.secondReplica()).client(CredentialService);
    await setActive(person, false);
    expect(await isOwn(all, person.id)).toEqual({ session: false, key: false, keyById: false, token: false });
    expect((await second.verifyApiKey({ apiKey: key.apiKey })).principal).toBeUndefined();
    expect((await second.verifySession({ session })).stage).toBe(0);
    expect(await requestTokens(identity.channel, refreshForm(app, tokens.refreshToken))).toBe('invalid_grant');
    expect(await requestTokens(identity.channel, code)).toBe('invalid_grant');
  });

  it('the credentials of a deactivated employee are answered without asking directory for each request', async () => {
    const { person, key } = await equipped();
    await setActive(person, false);
    identity.directory.deleteEmployee(person.id);
    expect(await ownerOfKey(key.apiKey)).toBeUndefined();
  });

  it('the credentials of a deactivated employee end for other services by one event', async () => {
    const revoked = await identity.record('identity.credential.revoked', ({ data }) =>
      fromBinary(CredentialRevokedSchema, data),
    );
    const { person } = await equipped();
    await setActive(person, false);
    const isAll = (one: CredentialRevoked) => one.employeeId === person.id && one.credentialId === '';
    await waitUntil(() => revoked.filter(isAll).length === 2, { what: 'the event' });
  });

  it('the credentials of a deactivated employee that are made at the same moment do not survive it', async () => {
    const person = await newPerson(identity);
    const sessions = await Promise.all([
      ...Array.from({ length: 8 }, () => trySignIn(identity, person.email)),
      setActive(person, false),
    ]);
    await setActive(person, true);
    for (const outcome of sessions)
      if (outcome?.case === 'opened') expect(await employeeOfSession(identity, outcome.value.session)).toBeUndefined();
  });

  it('the credentials of a deactivated employee work again when reactivated within 30 days, but not the sessions', async () => {
    const all = await equipped();
    const { person, app, tokens } = all;
    await setActive(person, false);
    await moveTo(29 * DAY);
    await setActive(person, true);
    expect(await isOwn(all, person.id)).toMatchObject({ session: false, key: true, keyById: true });
    expect(await requestTokens(identity.channel, refreshForm(app, tokens.refreshToken))).toMatchObject({
      accessToken: expect.any(String),
    });
    expect((await trySignIn(identity, person.email)).case).toBe('opened');
  });

  it('the credentials of a deactivated employee are removed after 30 days, with entries in the audit log, and new ones work', async () => {
    const { person, key } = await equipped();
    await setActive(person, false);
    await moveTo(30 * DAY + 1);
    const keys = identity.db.collection<{ employeeId: string; _deleted: boolean }>('api_keys');
    const grants = identity.db.collection<{ employeeId: string; _deleted: boolean }>('grants');
    const left = async () =>
      (await keys.countDocuments({ employeeId: person.id, _deleted: false })) +
      (await grants.countDocuments({ employeeId: person.id, _deleted: false }));
    await waitUntil(async () => (await left()) === 0, { what: 'the removal' });
    await setActive(person, true);
    expect(await ownerOfKey(key.apiKey)).toBeUndefined();
    expect(await ownerOfKey((await newKey(person)).apiKey)).toBe(person.id);
  });

  it('the sessions of a deactivated employee are removed by the event, which says why in the audit log', async () => {
    const ended = await identity.record('identity.credential.revoked', ({ audit }) => audit);
    const { person, session } = await equipped();
    await setActive(person, false);
    await announce(person);
    const stored = identity.db.collection<{ employeeId: string; _deleted: boolean }>('sessions');
    await waitUntil(async () => (await stored.countDocuments({ employeeId: person.id, _deleted: false })) === 0, {
      what: 'the removal',
    });
    const texts = () => ended.map((audit) => JSON.stringify(audit)).filter((text) => text?.includes(person.id));
    await waitUntil(() => texts().some((text) => text.includes('session.ended') && text.includes('deactivated')), {
      what: 'the entry',
    });
    expect(await employeeOfSession(identity, session)).toBeUndefined();
  });
});

describe('a deactivated employee', () => {
  it('a deactivated employee cannot sign in: the right password is answered like a wrong one', async () => {
    const person = await newPerson(identity);
    await setActive(person, false);
    const [right, wrong] = [await trySignIn(identity, person.email), await trySignIn(identity, person.email, 'wrong')];
    expect(right).toEqual(wrong);
    expect(right.case).toBe('refusal');
  });

  it('a deactivated employee gets no e-mail with a link, and one that was sent before works no more', async () => {
    const person = await newPerson(identity);
    const request = () => pages().requestPasswordReset({ email: person.email, visitor: { address: '198.51.100.9' } });
    const tokenIn = (text: string) => /\/reset-password\?token=([\w-]+)/.exec(text)?.[1] ?? '';
    await request();
    const token = await waitUntil(() => mail.sentTo(person.email).map(tokenIn).find(Boolean), { what: 'the e-mail' });
    await setActive(person, false);
    expect((await pages().getPasswordReset({ token })).valid).toBe(false);
    expect((await pages().resetPassword({ token, password: 'another password' })).reset).toBe(false);
    const before = mail.sentTo(person.email).length;
    await request();
    await identity.idle();
    expect(mail.sentTo(person.email)).toHaveLength(before);
    await setActive(person, true);
    expect((await pages().resetPassword({ token, password: 'another password' })).reset).toBe(false);
  });

  it('a deactivated employee who was only invited is invited again when reactivated, and the first link is over', async () => {
    const person = await identity.hire({ invitationPending: true });
    const tokens = () =>
      mail.sentTo(person.email).flatMap((text) => /\/invitation\?token=([\w-]+)/.exec(text)?.[1] ?? []);
    await waitUntil(() => tokens().length === 1, { what: 'the invitation' });
    await setActive(person, false);
    await announce(person);
    const [first = ''] = tokens();
    expect((await pages().getInvitation({ token: first })).valid).toBe(false);
    await setActive(person, true);
    await announce(person);
    await waitUntil(() => tokens().length === 2, { what: 'the other invitation' });
    const accept = (token: string) => pages().acceptInvitation({ token, password: PASSWORD });
    expect((await accept(first)).opened).toBeUndefined();
    expect((await accept(tokens()[1] ?? '')).opened).toBeDefined();
  });

  it('a deactivated employee gets no password from the operator', async () => {
    const person = await newPerson(identity);
    await setActive(person, false);
    const passwords = identity.channel.client(PasswordAdminService);
    const given = { employeeId: person.id, companyId: person.companyId, password: 'another password' };
    await expect(passwords.setPassword(given, identity.operator)).rejects.toMatchObject({
      refusal: { code: 'not_found' },
    });
  });
});

describe('what stops with an employee', () => {
  it('what stops with an employee is listed for admins of the company: what was used in the last 30 days', async () => {
    const owner = await identity.hireOwner();
    const { companyId } = owner;
    const { person, key } = await equipped({ companyId });
    await newKey(person, 'never used');
    await ownerOfKey(key.apiKey);
    await identity.idle();
    const list = (as: ReturnType<typeof asEmployee>) =>
      identity.channel.client(UsedCredentialService).listUsedCredentials({ employeeId: person.id }, as);
    const { apiKeys } = await list(asEmployee(companyId, owner.id, 'key_1', 'admin'));
    expect(apiKeys.map(({ id, name }) => [id, name])).toEqual([[key.id, 'CRM']]);
    await expect(list(asEmployee(companyId, owner.id, 'key_1', 'member'))).rejects.toThrow('forbidden');
    const elsewhere = await list(asEmployee('com_other', owner.id, 'key_1', 'admin'));
    expect([elsewhere.apiKeys, elsewhere.connectedApps]).toEqual([[], []]);
    await moveTo(31 * DAY);
    expect((await list(asEmployee(companyId, owner.id, 'key_1', 'admin'))).apiKeys).toEqual([]);
  });

  it('what stops with an employee is an e-mail to active owners and admins, once for each deactivation', async () => {
    const owner = await identity.hireOwner();
    const { companyId } = owner;
    const admin = await newPerson(identity, { companyId, role: Role.ADMIN });
    const inactive = await newPerson(identity, { companyId, role: Role.ADMIN });
    await setActive(inactive, false);
    const { person, key } = await equipped({ companyId, name: 'Emma', role: Role.MEMBER });
    await ownerOfKey(key.apiKey);
    await identity.idle();
    await setActive(person, false);
    const report = {
      companyId,
      employeeId: person.id,
      deactivatedAt: timestampFromDate(person.deactivatedAt!),
      businessNumberNames: ['Front desk'],
    };
    const reports = identity.as('directory').client(DeactivationReportService);
    for (let time = 0; time < 2; time += 1) await reports.reportDeactivation(report);
    const mails = ({ email }: TestEmployee) =>
      mail.sentTo(email).filter((text) => text.includes('Emma was deactivated'));
    for (const recipient of [owner, admin])
      await waitUntil(() => mails(recipient).length === 1, { what: 'the e-mail', timeoutMs: 60_000 });
    expect(mails(owner)[0]).toContain('CRM');
    expect(mails(owner)[0]).toContain('Front desk');
    await identity.idle();
    expect([mails(owner).length, mails(admin).length, mails(inactive).length]).toEqual([1, 1, 0]);
    const earlier = new Date(person.deactivatedAt!.getTime() - 1000);
    await reports.reportDeactivation({ ...report, deactivatedAt: timestampFromDate(earlier) });
    await waitUntil(() => mails(owner).length === 2, { what: 'the other e-mail', timeoutMs: 60_000 });
  });
});
