import { digest } from '@parley/secrets';
import { collidedIndex, type Due, type DueDocument, dueIn, dueIndex, whileUnreachable } from '@parley/store';
import type { Collection, Db } from 'mongodb';

/** Somebody asked for a way back in. Kept the same way whether or not anybody has the address, until it is dealt with. */
export interface ResetRequest extends DueDocument {
  /** The address, as accounts are looked up by it; `_id`, which is for everybody to see in logs, has its digest. */
  emailKey: string;
  tries: number;
  /** Whoever asked does not wait for the e-mail any longer. */
  expiresAt: Date;
}

export interface ResetRequests {
  /** Plans an answer for now. Who asks again while one is on its way gets that one. */
  plan(emailKey: string, now: Date): Promise<void>;
  /** Records how an attempt went, if this process still has the lease. */
  done(request: ResetRequest, lease: string, outcome: 'answered' | { due: Due }): Promise<void>;
  readonly collection: Collection<ResetRequest>;
}

const LIFETIME_MS = 3600 * 1000;

export async function openResetRequests(db: Db): Promise<ResetRequests> {
  const collection = db.collection<ResetRequest>('password_reset_requests');
  await collection.createIndexes([{ ...dueIndex }, { name: 'expiry', key: { expiresAt: 1 } }]);
  return {
    collection,
    async plan(emailKey, now) {
      const asked = { tries: 0, due: dueIn(now, 0), expiresAt: new Date(now.getTime() + LIFETIME_MS) };
      const update = { $set: asked, $setOnInsert: { emailKey, dueLease: null } };
      try {
        await whileUnreachable(() => collection.updateOne({ _id: digest(emailKey) }, update, { upsert: true }));
      } catch (error) {
        // Somebody asked for the same address in the same moment: it is planned.
        if (collidedIndex(error) === undefined) throw error;
      }
    },
    async done({ _id }, lease, outcome) {
      const own = { _id, 'dueLease.owner': lease };
      if (outcome === 'answered') {
        await whileUnreachable(() => collection.deleteOne(own));
        return;
      }
      const later = { $set: { due: outcome.due, dueLease: null }, $inc: { tries: 1 } };
      await whileUnreachable(() => collection.updateOne(own, later));
    },
  };
}
