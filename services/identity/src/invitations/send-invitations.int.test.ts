import { trackBackgroundWork } from '@parley/clock';
import { newId, digest } from '@parley/secrets';
import { idleRelay } from '@parley/aggregates/idle-relay';
import { createLog } from '@parley/telemetry';
import { type TestMongo, testMongo, waitUntil } from '@parley/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Db } from 'mongodb';
import { type Account, hasInvitation } from '../accounts/account.ts';
import { type Accounts, openAccounts } from '../accounts/account-store.ts';
import { openCompanyRules } from '../companies/company-rules-store.ts';
import type { SendMail } from '../mail/mailer.ts';
import { type InvitationMails, openInvitationMails } from './invitation-store.ts';
import { sendInvitations } from './send-invitations.ts';

const NOW = new Date('2030-01-01T00:00:00Z');
const clock = { now: () => NOW };
const EARLIER = 'earlier@example.com';
const LATER = 'later@example.com';

let mongo: TestMongo;
let db: Db;
let accounts: Accounts;
let mails: InvitationMails;
let employeeId: string;
let revision = 0n;
const stops: (() => Promise<unknown>)[] = [];
beforeAll(() => void (mongo = testMongo()));
beforeEach(async () => {
  db = mongo.database('invitations');
  accounts = await openAccounts(db, idleRelay(), clock);
  mails = await openInvitationMails(db);
  employeeId = newId('emp');
});
afterEach(async () => void (await Promise.all(stops.splice(0).map((stop) => stop()))));
afterAll(() => mongo.close());

/** A mail server that answers for one address only once it is released. */
function slowMailServer(slowAddress: string) {
  const begun: string[] = [];
  const accepted: { address: string; token: string }[] = [];
  const release = Promise.withResolvers<void>();
  stops.push(async () => release.resolve());
  const send: SendMail = async ({ address }, { text }) => {
    begun.push(address);
    if (address === slowAddress) await release.promise;
    accepted.push({ address, token: /token=([\w-]+)/.exec(text)?.[1] ?? '' });
  };
  return { begun, accepted, release: () => release.resolve(), send };
}

/** A process that sends, with stores of its own. */
async function startProcess(send: SendMail) {
  const work = sendInvitations({
    mails: await openInvitationMails(db),
    accounts: await openAccounts(db, idleRelay(), clock),
    companyRules: await openCompanyRules(db),
    send,
    publicUrl: 'https://parley.example',
    clock,
    backgroundWork: trackBackgroundWork(),
    log: createLog({ service: 'test', level: 'silent' }),
  });
  stops.push(() => work.stop());
  return work;
}

/** Applies directory's record of the employee. */
const describeAs = (email: string): Promise<Account> =>
  accounts.ensure({ id: employeeId, companyId: 'com_1', name: 'Ada', email, revision: ++revision });
const invite = async (email: string) => mails.plan(await describeAs(email), NOW);
async function isValid({ token }: { token: string }): Promise<boolean> {
  const account = await accounts.byInvitation(digest(token));
  return account !== undefined && hasInvitation(account, digest(token), NOW);
}
const isNothingDue = async () => (await db.collection('invitation_mails').countDocuments({ due: { $ne: null } })) === 0;

describe('an invitation whose address changes while it is being sent', () => {
  it.each(['the same process', 'another process'])(
    'an invitation whose address changes while it is being sent goes to the new address by %s without waiting',
    async (sender) => {
      const server = slowMailServer(EARLIER);
      let work = await startProcess(server.send);
      await invite(EARLIER);
      work.pollNow();
      await waitUntil(() => server.begun.includes(EARLIER), { what: 'the first delivery' });
      if (sender === 'another process') work = await startProcess(server.send);
      await invite(LATER);
      work.pollNow();
      await waitUntil(() => server.accepted.length === 1, { what: 'the second delivery' });
      expect(server.accepted[0]?.address).toBe(LATER);
      server.release();
      await waitUntil(() => server.accepted.length === 2, { what: 'the end of the first delivery' });
      const [toLater, toEarlier] = server.accepted;
      expect([await isValid(toLater!), await isValid(toEarlier!)]).toEqual([true, false]);
      await waitUntil(isNothingDue, { what: 'both to be recorded' });
      expect(server.begun).toEqual([EARLIER, LATER]);
    },
  );

  it('an invitation whose address changes while it is being sent goes to the new address if the first delivery ends between the change of the account and the new plan', async () => {
    const server = slowMailServer(EARLIER);
    const work = await startProcess(server.send);
    await invite(EARLIER);
    work.pollNow();
    await waitUntil(() => server.begun.includes(EARLIER), { what: 'the first delivery' });
    const account = await describeAs(LATER);
    server.release();
    await waitUntil(isNothingDue, { what: 'the end of the first delivery' });
    await mails.plan(account, NOW);
    work.pollNow();
    await waitUntil(() => server.accepted.some(({ address }) => address === LATER), { what: 'the second delivery' });
    expect(await isValid(server.accepted.at(-1)!)).toBe(true);
  });

  it('an invitation whose address changes while it is being sent goes to the new address once, although it is claimed between the change of the account and the new plan', async () => {
    const server = slowMailServer('none');
    await invite(EARLIER);
    const account = await describeAs(LATER);
    const work = await startProcess(server.send);
    await waitUntil(isNothingDue, { what: 'the plan for the earlier address to be dropped' });
    expect(server.begun).toEqual([]);
    await mails.plan(account, NOW);
    work.pollNow();
    await waitUntil(() => server.accepted.length === 1, { what: 'the delivery' });
    expect(server.begun).toEqual([LATER]);
  });

  it('an invitation whose address changes while it is being sent goes to the new address although the process that was sending it has crashed', async () => {
    await invite(EARLIER);
    const dueLease = { owner: 'crashed', until: new Date(Date.now() + 60_000) };
    await db.collection('invitation_mails').updateOne({}, { $set: { _dueLease: dueLease } });
    const server = slowMailServer('none');
    const work = await startProcess(server.send);
    await invite(LATER);
    work.pollNow();
    await waitUntil(() => server.accepted.length === 1, { what: 'the delivery' });
    expect(server.accepted[0]?.address).toBe(LATER);
  });

  it('an invitation whose address changes while it is being sent goes to the first address again when the change is taken back at once', async () => {
    const server = slowMailServer('none');
    await invite(EARLIER);
    await describeAs(LATER);
    await invite(EARLIER);
    await startProcess(server.send);
    await waitUntil(() => server.accepted.length === 1, { what: 'the delivery' });
    expect(server.accepted[0]?.address).toBe(EARLIER);
    expect(await isValid(server.accepted[0]!)).toBe(true);
  });

  it('an invitation whose address changes while it is being sent is neither repeated nor replaced by the event of an earlier address that is handled late', async () => {
    const server = slowMailServer('none');
    const earlier = await describeAs(EARLIER);
    const later = await describeAs(LATER);
    await mails.plan(later, NOW);
    const work = await startProcess(server.send);
    await waitUntil(() => server.accepted.length === 1, { what: 'the delivery' });
    await waitUntil(isNothingDue, { what: 'the delivery to be recorded' });
    for (const account of [earlier, later]) await mails.plan(account, NOW);
    work.pollNow();
    expect(await isNothingDue()).toBe(true);
    expect(server.begun).toEqual([LATER]);
    expect(await isValid(server.accepted[0]!)).toBe(true);
  });
});
