import type { Clock } from '@parley/clock';
import { dueIndex, openAggregates, type Relay } from '@parley/aggregates';
import type { Db } from 'mongodb';
import { encodeMessage, type EncodedMessage } from '@parley/events';
import { encodeCredentialRevoked } from '../revocations/credential-proto.ts';
import { endSuspension } from './account-activity.ts';
import {
  type Account,
  type AccountEvent,
  type AccountHolder,
  accountIdOf,
  emailKeyOf,
  type AccountCommand,
  type AccountTimer,
  isOpen,
} from './account.ts';
import { describeAccount, openAccount } from './describe-account.ts';

export type Accounts = Awaited<ReturnType<typeof openAccounts>>;

export async function openAccounts(db: Db, relay: Relay, clock: Clock) {
  const accounts = await openAggregates<Account, AccountEvent, AccountCommand, AccountTimer>({
    db,
    collection: 'accounts',
    relay,
    clock,
    encode: encodeAccountEvent,
    // Directory keeps addresses unique; its events may reach us in another order, so this index is not.
    indexes: [
      { name: 'email', key: { emailKey: 1 } },
      { name: 'company', key: { companyId: 1, _id: 1 } },
      { name: 'roles', key: { companyId: 1, role: 1 } },
      { name: 'invitation', key: { 'invitation.digests': 1 }, sparse: true },
      { name: 'password_reset', key: { 'passwordReset.digest': 1 }, sparse: true },
      { name: 'email_confirmation', key: { 'unconfirmedEmail.digests': 1 }, sparse: true },
      dueIndex,
    ],
  });
  const find = (employeeId: string) => accounts.acrossCompanies.get(accountIdOf(employeeId));
  return {
    ...accounts,
    /** The employee's account, updated with directory's current record; created if there is none yet. */
    ensure: (holder: AccountHolder) =>
      accounts
        .of(holder.companyId)
        .upsert(accountIdOf(holder.id), (current) =>
          current ? describeAccount(current, holder, clock.now()) : openAccount(holder, clock.now()),
        ),
    /** Undefined for an unknown, a deleted and a deactivated employee alike. */
    async byEmployee(employeeId: string): Promise<Account | undefined> {
      const account = await find(employeeId);
      return account && isOpen(account) ? account : undefined;
    },
    /** The account also of a deleted or deactivated employee. */
    find,
    startSuspensionEnds: () =>
      accounts.startTimers({ suspension_end: (current) => endSuspension(current, clock.now()) }),
    byEmail: (email: string) => accounts.acrossCompanies.findOne({ emailKey: emailKeyOf(email) }),
    byInvitation: (digest: string) => accounts.acrossCompanies.findOne({ 'invitation.digests': digest }),
    byPasswordReset: (digest: string) => accounts.acrossCompanies.findOne({ 'passwordReset.digest': digest }),
    byEmailConfirmation: (digest: string) => accounts.acrossCompanies.findOne({ 'unconfirmedEmail.digests': digest }),
    /** The accounts of a company's active owners and admins. */
    adminsOf: (companyId: string) =>
      accounts
        .of(companyId)
        .find({ role: { $in: ['owner', 'admin'] }, deletedAt: null, deactivatedAt: { $exists: false } }, { role: 1 }),
    isDeleted: async (employeeId: string) => ((await find(employeeId))?.deletedAt ?? null) !== null,
  };
}

function encodeAccountEvent(event: AccountEvent): EncodedMessage {
  if (event.type === 'identity.credential.revoked') return encodeCredentialRevoked(event);
  return encodeMessage(event.type, { employeeId: event.employeeId });
}
