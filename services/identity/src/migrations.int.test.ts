import { idleRelay } from '@parley/aggregates/idle-relay';
import { systemClock } from '@parley/clock';
import { migrate } from '@parley/mongo';
import { insertEntities, testMongo } from '@parley/testkit';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openAccounts } from './accounts/account-store.ts';
import { openCompanyRules } from './companies/company-rules-store.ts';
import { openGrants } from './grants/grant-store.ts';
import { migrations } from './migrations.ts';
import { hasPasswordReset } from './password-resets/password-reset.ts';
import { openSessions } from './sessions/session-store.ts';
import { replacesPassword } from './two-factor/two-factor.ts';

const mongo = testMongo();
afterAll(() => mongo.close());
const db = mongo.database();
const NOW = new Date('2030-01-01T00:00:00Z');

const notes = [{ about: 'password', to: 'ada@example.com', at: NOW, tries: 0, next: NOW }];
const due = { at: NOW };
const employee = { companyId: 'com_1', employeeId: 'emp_1' };

const account = {
  id: 'acc_1',
  ...employee,
  name: 'Ada',
  email: 'ada@example.com',
  emailKey: 'ada@example.com',
  passwordVersion: 1,
  twoFactor: { secret: 'x', lastStep: null, recoveryDigests: [] },
  invitation: null,
  deletedAt: null,
  notes,
  due,
};
const accessTokens = [{ digest: 'token' }];
const grant = { id: 'gra_1', ...employee, clientId: 'app', accessTokens, sharedAnswer: { encrypted: 'x' } };
const session = { id: 'ses_1', ...employee, digest: 'session', createdAt: NOW };
const rules = { id: 'com_1', companyId: 'com_1', name: 'A', requiresTwoFactor: false };

beforeAll(async () => {
  await insertEntities(db, 'accounts', [account]);
  await insertEntities(db, 'grants', [grant]);
  await insertEntities(db, 'sessions', [session]);
  await insertEntities(db, 'company_rules', [rules]);
  await migrate(db, migrations);
});

describe('data of earlier versions', () => {
  it('an account keeps what waits to be sent, and has what was added since', async () => {
    const migrated = await (await openAccounts(db, idleRelay(), systemClock)).byEmployee('emp_1');
    expect(migrated).toMatchObject({
      emailVersion: 0,
      unconfirmedEmail: null,
      threadMails: [],
      notifications: notes,
      due,
    });
    expect(migrated).not.toHaveProperty('notes');
    expect(hasPasswordReset(migrated!, 'first', NOW)).toBe(false);
    expect(replacesPassword(migrated!, { enteredCode: true, createdAt: NOW })).toBe(true);
  });

  it('a grant has no answer to share any more, and was never used as far as is known', async () => {
    const migrated = await (await openGrants(db, idleRelay(), systemClock)).byAccessToken('token');
    expect(migrated).toMatchObject({ clientName: '', lastUsedAt: null });
    expect(migrated).not.toHaveProperty('sharedAnswer');
  });

  it('a session was opened without a code, and a company is not suspended', async () => {
    const sessions = await openSessions(db, idleRelay(), systemClock);
    expect(await sessions.of('com_1').get('ses_1')).toMatchObject({ enteredCode: false });
    expect(await (await openCompanyRules(db)).isSuspended('com_1')).toBe(false);
  });
});
