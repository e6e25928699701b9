import { type Due, type DueDocument, dueIn, dueIndex, whileUnreachable } from '@parley/store';
import type { Collection, Db } from 'mongodb';

/** An e-mail that has to reach an invited employee. The link's digest is in the account; here is only the sending. */
export interface InvitationMail extends DueDocument {
  employeeId: string;
  companyId: string;
  expiresAt: Date;
  tries: number;
  sentAt: Date | null;
}

export interface InvitationMails {
  /** Plans an invitation for now; once per employee, however often it is asked. */
  plan(employee: { id: string; companyId: string }, now: Date): Promise<void>;
  /** Plans another one where the first, if there was one, is of no use any more; unless one is planned already. */
  planAgain(employee: { id: string; companyId: string }, now: Date): Promise<void>;
  /** Records how an attempt went, if this process still has the lease. */
  done(mail: InvitationMail, lease: string, outcome: { sentAt: Date } | { due: Due }): Promise<void>;
  remove(employeeId: string): Promise<void>;
  readonly collection: Collection<InvitationMail>;
}

const LIFETIME_MS = 7 * 24 * 3600 * 1000;

export async function openInvitationMails(db: Db): Promise<InvitationMails> {
  const collection = db.collection<InvitationMail>('invitation_mails');
  await collection.createIndexes([{ ...dueIndex }]);
  /** Whether there was none before. */
  async function insert({ id, companyId }: { id: string; companyId: string }, now: Date): Promise<boolean> {
    const expiresAt = new Date(now.getTime() + LIFETIME_MS);
    const mail = { employeeId: id, companyId, expiresAt, tries: 0, sentAt: null, due: dueIn(now, 0), dueLease: null };
    const { upsertedCount } = await whileUnreachable(() =>
      collection.updateOne({ _id: id }, { $setOnInsert: mail }, { upsert: true }),
    );
    return upsertedCount === 1;
  }

  return {
    collection,
    async plan(employee, now) {
      await insert(employee, now);
    },
    async planAgain(employee, now) {
      if (await insert(employee, now)) return;
      const expiresAt = new Date(now.getTime() + LIFETIME_MS);
      const again = { expiresAt, tries: 0, sentAt: null, due: dueIn(now, 0) };
      await whileUnreachable(() => collection.updateOne({ _id: employee.id, due: null }, { $set: again }));
    },
    async done({ _id }, lease, outcome) {
      const set = 'sentAt' in outcome ? { sentAt: outcome.sentAt, due: null } : { due: outcome.due };
      await whileUnreachable(() =>
        collection.updateOne(
          { _id, 'dueLease.owner': lease },
          { $set: { ...set, dueLease: null }, $inc: { tries: 1 } },
        ),
      );
    },
    async remove(employeeId) {
      await whileUnreachable(() => collection.deleteOne({ _id: employeeId }));
    },
  };
}
