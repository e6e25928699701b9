import { decided, type Due, dueIn } from '@parley/errors';
import { digest } from '@parley/secrets';
import { dueIndex, type GlobalDocuments, openGlobalDocuments } from '@parley/store';
import type { Db } from 'mongodb';

/** A request for a link to a new password. Kept the same way whether or not anybody has the address, until it is answered. */
export interface ResetRequest {
  /** The digest of the address: ids are logged. */
  readonly id: string;
  /** The address, as accounts are looked up by it. */
  readonly emailKey: string;
  readonly tries: number;
  /** Whoever asked does not wait for the e-mail any longer. */
  readonly expiresAt: Date;
  readonly due: Due;
}

/** They belong to no company: whose an address is, is found out when they are answered. */
export interface ResetRequests extends Pick<GlobalDocuments<ResetRequest>, 'startDueWork' | 'startExpiry'> {
  /** Plans an answer for now. Who asks again while one is on its way gets that one. */
  plan(emailKey: string, now: Date): Promise<void>;
}

const LIFETIME_MS = 3600 * 1000;

export async function openResetRequests(db: Db): Promise<ResetRequests> {
  const requests = await openGlobalDocuments<ResetRequest>({
    db,
    collection: 'password_reset_requests',
    indexes: [dueIndex, { name: 'expiry', key: { expiresAt: 1 } }],
  });
  return {
    startDueWork: requests.startDueWork,
    startExpiry: requests.startExpiry,
    async plan(emailKey, now) {
      const id = digest(emailKey);
      const expiresAt = new Date(now.getTime() + LIFETIME_MS);
      await requests.upsert(id, () => decided({ id, emailKey, tries: 0, due: dueIn(now, 0), expiresAt }));
    },
  };
}
