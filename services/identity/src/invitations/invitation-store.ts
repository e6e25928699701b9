import { decided, type Due, dueIn } from '@parley/errors';
import { type Documents, dueIndex, openDocuments } from '@parley/aggregates';
import type { Db } from 'mongodb';

/** An e-mail that has to reach an invited employee, by whose id it is kept. The link's digest is in the account. */
export interface InvitationMail {
  /** The employee's. */
  readonly id: string;
  readonly companyId: string;
  readonly expiresAt: Date;
  readonly tries: number;
  readonly sentAt: Date | null;
  readonly due: Due | null;
}

interface Invited {
  readonly id: string;
  readonly companyId: string;
}

export interface InvitationMails extends Pick<Documents<InvitationMail>, 'startDueWork'> {
  /** Schedules an invitation for now; once per employee. */
  plan(employee: Invited, now: Date): Promise<void>;
  /** Plans another one where the first, if there was one, is of no use any more; unless one is planned already. */
  planAgain(employee: Invited, now: Date): Promise<void>;
  remove(employee: Invited): Promise<void>;
}

const LIFETIME_MS = 7 * 24 * 3600 * 1000;

export async function openInvitationMails(db: Db): Promise<InvitationMails> {
  const mails = await openDocuments<InvitationMail>({ db, collection: 'invitation_mails', indexes: [dueIndex] });
  const planned = ({ id, companyId }: Invited, now: Date): InvitationMail => ({
    id,
    companyId,
    expiresAt: new Date(now.getTime() + LIFETIME_MS),
    tries: 0,
    sentAt: null,
    due: dueIn(now, 0),
  });
  return {
    startDueWork: mails.startDueWork,
    async plan(employee, now) {
      await mails.of(employee.companyId).upsert(employee.id, (known) => decided(known ?? planned(employee, now)));
    },
    async planAgain(employee, now) {
      await mails
        .of(employee.companyId)
        .upsert(employee.id, (known) => decided(known?.due ? known : planned(employee, now)));
    },
    async remove({ id, companyId }) {
      await mails.of(companyId).changeIfExists(id, () => decided(null));
    },
  };
}
