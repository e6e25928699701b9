import { decided, type Due, dueIn } from '@parley/errors';
import { digest } from '@parley/secrets';
import { dueIndex, type GlobalDocuments, openGlobalDocuments } from '@parley/aggregates';
import type { Db } from 'mongodb';

/** A request for a link to set a new password. Stored whether or not the address exists, until it is processed. */
export interface ResetRequest {
  /** The digest of the address: ids are logged. */
  readonly id: string;
  /** The address, as accounts are looked up by it. */
  readonly emailKey: string;
  readonly tries: number;
  /** The request expires. */
  readonly expiresAt: Date;
  readonly due: Due;
}

/** They belong to no company: the account is looked up when they are processed. */
export interface ResetRequests extends Pick<GlobalDocuments<ResetRequest>, 'startDueWork' | 'startExpiry'> {
  /** Schedules a request for now. A repeated request while one is pending has no effect. */
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
