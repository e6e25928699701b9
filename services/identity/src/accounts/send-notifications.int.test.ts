import { movableClock, trackBackgroundWork } from '@parley/clock';
import { decided, dueIn } from '@parley/errors';
import { newId } from '@parley/secrets';
import { idleRelay } from '@parley/aggregates/idle-relay';
import { createLog } from '@parley/telemetry';
import { type TestMongo, testMongo, waitUntil } from '@parley/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Db } from 'mongodb';
import { planNotification } from '../notifications/notification.ts';
import type { Account } from './account.ts';
import { type Accounts, openAccounts } from './account-store.ts';
import { sendNotifications } from './send-notifications.ts';

const NOW = new Date('2030-01-01T00:00:00Z');
const clock = movableClock({ now: () => NOW });
let mongo: TestMongo;
let db: Db;
let stop: (() => Promise<void>) | undefined;
beforeAll(() => {
  mongo = testMongo();
  db = mongo.database('notifications');
});
afterEach(() => stop?.());
afterAll(() => mongo.close());

const open = () => openAccounts(db, idleRelay(), clock);

/** The account of a new employee, changed. */
async function accountOf(accounts: Accounts, change: (account: Account) => Account): Promise<Account> {
  const id = newId('emp');
  await accounts.ensure({ id, companyId: 'com_1', name: 'Ada', email: `${id}@example.com` });
  const created = await accounts.byEmployee(id);
  return accounts.of('com_1').change(created!.id, (current) => decided(change(current)));
}

/** Sends what is due; the addresses so far. */
function startSending(accounts: Accounts): readonly string[] {
  const addresses: string[] = [];
  const work = sendNotifications({
    accounts,
    send: async ({ address }) => void addresses.push(address),
    publicUrl: 'https://parley.example',
    clock,
    backgroundWork: trackBackgroundWork(),
    log: createLog({ service: 'test', level: 'silent' }),
  });
  stop = () => work.stop();
  return addresses;
}

const isDone = async (accounts: Accounts, { id }: Account) => (await accounts.of('com_1').get(id))?.due === null;

describe('an account that is due', () => {
  it('an account that is due without a notification is not due any more, and nothing is sent', async () => {
    const accounts = await open();
    const account = await accountOf(accounts, (current) => ({ ...current, due: dueIn(NOW, 0) }));
    const sent = startSending(accounts);
    await waitUntil(() => isDone(accounts, account), { what: 'the end of being due' });
    expect(sent).toEqual([]);
  });

  it('an account that is due sends the link to confirm an address to the current address only', async () => {
    const accounts = await open();
    const account = await accountOf(accounts, (current) => {
      const unconfirmedEmail = { email: 'newer@example.com', change: 2, digests: [], expiresAt: null };
      const about = 'unconfirmed_address' as const;
      const stale = planNotification({ ...current, unconfirmedEmail }, { about, to: 'outdated@example.com' }, NOW);
      return planNotification(stale, { about, to: current.email.toUpperCase() }, NOW);
    });
    const sent = startSending(accounts);
    await waitUntil(() => isDone(accounts, account), { what: 'the notifications' });
    expect(sent).toEqual([account.email.toUpperCase()]);
    expect((await accounts.of('com_1').get(account.id))?.unconfirmedEmail?.digests).toHaveLength(1);
  });
});
