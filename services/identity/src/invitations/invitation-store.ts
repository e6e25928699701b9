import { decided, type Due, dueIn } from '@parley/errors';
import { dueIndex, openDocuments } from '@parley/aggregates';
import type { Db } from 'mongodb';
import type { Account } from '../accounts/account.ts';

/** An e-mail that has to reach an invited employee, by whose id it is kept. The link's digest is in the account. */
export interface InvitationMail {
  /** The employee's. */
  readonly id: string;
  readonly companyId: string;
  /** Which of the account's addresses it is for. */
  readonly emailVersion: number;
  readonly expiresAt: Date;
  readonly tries: number;
  readonly sentAt: Date | null;
  readonly due: Due | null;
}

type Invited = Pick<Account, 'employeeId' | 'companyId' | 'emailVersion'>;

export type InvitationMails = Awaited<ReturnType<typeof openInvitationMails>>;

const LIFETIME_MS = 7 * 24 * 3600 * 1000;

export async function openInvitationMails(db: Db) {
  const mails = await openDocuments<InvitationMail>({
    db,
    collection: 'invitation_mails',
    indexes: [dueIndex],
    reusesIds: true,
  });

  async function plan(account: Invited, now: Date, isEnough: (known: InvitationMail) => boolean): Promise<void> {
    const { employeeId: id, companyId, emailVersion } = account;
    const isForEarlier = (known: InvitationMail) => known.emailVersion < emailVersion;
    const due = dueIn(now, 0);
    const expiresAt = new Date(now.getTime() + LIFETIME_MS);
    // Removed rather than changed, because its claim is removed with it: whoever is sending to the earlier address, or crashed while
    // doing so, neither delays the new one nor records an outcome for it.
    await mails.of(companyId).changeIfExists(id, (known) => decided(isForEarlier(known) ? null : known));
    const planned: InvitationMail = { id, companyId, emailVersion, expiresAt, tries: 0, sentAt: null, due };
    await mails.of(companyId).upsert(id, (known) => decided(known && isEnough(known) ? known : planned));
  }

  return {
    startDueWork: mails.startDueWork,
    /** Schedules an invitation for now; once per address. It does not wait for one that is being sent to an earlier address. */
    plan: (account: Invited, now: Date) => plan(account, now, () => true),
    /** Plans another one to the same address, unless one is planned already. */
    planAgain: (account: Invited, now: Date) =>
      plan(account, now, ({ due, emailVersion }) => due !== null || emailVersion > account.emailVersion),
    async remove({ id, companyId }: { readonly id: string; readonly companyId: string }): Promise<void> {
      await mails.of(companyId).changeIfExists(id, () => decided(null));
    },
  };
}
